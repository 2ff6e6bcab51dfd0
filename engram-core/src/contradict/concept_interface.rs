//! Notions about what people see: markup, style, words, access, tracking.

use super::concept::{Concept, NONE};

// One notion a paragraph; rustfmt would give each pattern a line of its own.
#[rustfmt::skip]
pub(crate) const TABLE: &[Concept] = &[
    Concept {
        name: "unescaped markup",
        mentions: &[
            "raw html", "unescaped", "unescaped html", "inner html", "innerhtml", "html injection",
            "dangerouslysetinnerhtml", "html strings",
        ],
        shows: &[
            "dangerouslySetInnerHTML*", "*.innerHTML", "*.outerHTML", "document.write(", "v-html", "| safe",
            "mark_safe(", "html_safe", "@ruby raw(", "template.HTML(", "{{{", "{!!", "<%-", "[innerHTML]", "{@html",
        ],
        around: &[
            "insertAdjacentHTML(", "createContextualFragment(", "DOMParser(", "srcDoc*", "srcdoc*",
            "autoescape & false", "autoescape=False", "autoescape off", "bypassSecurityTrust*", "$sce.trustAsHtml(",
            "text/template", "\"*text/template*", "format_html(", "parseFromString(", ".html(",
        ],
        ..NONE
    },
    Concept {
        name: "escaping",
        mentions: &[
            "escaped", "escape", "escaping", "sanitized", "sanitised", "sanitize", "sanitise", "autoescape",
            "autoescaping", "xss",
        ],
        shows: &["DOMPurify*", "~sanitize*", "~*escape(", "bleach.clean("],
        breaks: &[
            "dangerouslySetInnerHTML*", "*.innerHTML", "document.write(", "v-html", "| safe", "mark_safe(",
            "html_safe", "template.HTML(", "{{{", "{!!", "autoescape & false", "autoescape=False", "autoescape off",
            "{@html",
        ],
        defeats: &[
            "insertAdjacentHTML(", "createContextualFragment(", "bypassSecurityTrust*", "\"*text/template*",
            "srcdoc*", "srcDoc*", "ALLOWED_TAGS & *script*", "ADD_TAGS*", "ADD_ATTR*", "SafeString(", "Markup(",
        ],
        ..NONE
    },
    Concept {
        name: "inline styles",
        mentions: &["inline style", "inline styles", "style attribute", "style attributes"],
        shows: &["style={{*", "style=\"*", "\"style=\"*", "style='*", ":style=\"*"],
        around: &[".style.*", "setAttribute(\"style\"*", "\"setAttribute('style'*", "cssText", "style={", "<style*"],
        ..NONE
    },
    Concept {
        name: "!important",
        mentions: &["!important", ],
        shows: &["*!important"],
        around: &["'important'", "\"*, 'important')*", "\"*, \"important\")*"],
        ..NONE
    },
    Concept {
        name: "colours written out",
        mentions: &[
            "hex color", "hex colors", "hex colour", "hex colours", "hard-coded color", "hard-coded colors",
            "hard-coded colours", "hardcoded colors", "hardcoded colours", "raw colors", "raw colours",
            "literal colors", "literal colours", "color literals", "colour literals",
        ],
        shows: &["%hex_colour", "rgb(", "rgba(", "hsl(", "hsla("],
        around: &[
            "color: white", "color: black", "color: red", "background: white", "background: black", "color-mix(",
            "filter: *", "oklch(", "hwb(", "Color(0x*", "UIColor(red", "color: gr*", "background-color: *",
        ],
        ..NONE
    },
    Concept {
        name: "design tokens",
        mentions: &[
            "design token", "design tokens", "css variables", "css custom properties", "custom properties",
            "theme tokens", "color tokens", "colour tokens", "theme variables", "theme colors", "theme colours",
            "from the theme", "palette",
        ],
        shows: &["var(--*", "theme.*", "tokens.*"],
        breaks: &["%hex_colour", "rgb(", "rgba(", "hsl(", "hsla("],
        defeats: &[
            "color: white", "color: black", "color: red", "background: white", "background: black", "color-mix(",
            "oklch(", "filter: *", "UIColor(red", "Color(0x*",
        ],
        ..NONE
    },
    Concept {
        name: "pixels",
        mentions: &[
            "pixel", "pixels", "px", "px units", "pixel units", "rem", "rem units", "in rem", "relative units",
        ],
        shows: &["@css,js,html %pixels"],
        breaks: &["@css,js,html %pixels & !border* & !*@media*"],
        around: &["@css *pt;", "@css *cm;", "@css zoom: *"],
        defeats: &["@css *pt;", "@css zoom: *", "@css html & font-size"],
    },
    Concept {
        name: "text through translation",
        mentions: &[
            "translated", "translation", "translations", "i18n", "internationalised", "internationalized",
            "localised", "localized", "localization", "translation function", "message catalogue", "message catalog",
            "gettext", "string resources", "user-facing strings", "user-facing text", "user-visible text",
        ],
        shows: &[
            "t(", "gettext(", "_(", "i18n.*", "intl.*", "getString(R.*", "NSLocalizedString(", "String(localized*",
            "stringResource(", "$t(", "FormattedMessage", "<Trans*", "I18n.t*", "tr(", "L10n.*",
        ],
        breaks: &["%shown_text & !t( & !_( & !gettext( & !$t( & !i18n* & !localized & !Trans"],
        defeats: &[
            "navigator.language & ? *", "locale === *", "\"locale === '*", "lang == \"*", "\"lang == \"*",
            "Locale.getDefault() ==", "toLocaleUpperCase(", "defaultMessage", "t(`*",
        ],
        ..NONE
    },
    Concept {
        name: "text alternatives",
        mentions: &["alt text", "alt attribute", "alternative text", "text alternative", "text alternatives"],
        shows: &["alt="],
        breaks: &["<img & !alt", "<Image & !alt"],
        defeats: &[
            "\"*alt=\"\"*", "alt={\"\"}", "\"*alt={''}*", "aria-hidden=\"true", "\"*aria-hidden=\"true*",
            "role=\"presentation", "\"*role=\"presentation*", "\"*alt=\"image\"*", "background-image",
        ],
        ..NONE
    },
    Concept {
        name: "a visible focus",
        mentions: &[
            "focus outline", "focus outlines", "focus ring", "focus rings", "focus indicator", "focus indicators",
            "visible focus", "keyboard focus", "focus style", "focus styles", "outline",
        ],
        breaks: &[
            "outline: none", "outline: 0", "outline:none", "outline:0", "outline-none", "\"*outline-none*",
            "outline-width: 0",
        ],
        defeats: &[
            "outline-color: transparent", "outline: transparent", "tabIndex={-1}", "tabindex=\"-1",
            "\"*tabindex=\"-1*", ".blur()", "outline: 0px*", "outline: 1px solid transparent",
        ],
        ..NONE
    },
    Concept {
        name: "keyboard access",
        mentions: &[
            "keyboard", "keyboard accessible", "keyboard access", "accessible", "accessibility", "aria",
            "screen reader", "screen readers",
        ],
        breaks: &[
            "<div & onClick & !role", "<span & onClick & !role", "\"*tabindex=\"-1*", "tabIndex={-1}",
            "outline: none",
        ],
        defeats: &[
            "aria-hidden*", "user-select: none", "pointer-events: none", "onMouseDown", "user-scalable=no",
            "\"*user-scalable=no*", "maximum-scale=1", "\"*maximum-scale=1*", "accessible={false}",
            "importantForAccessibility*",
        ],
        ..NONE
    },
    Concept {
        name: "tracking",
        mentions: &["analytics", "tracking", "telemetry", "third-party scripts", "tracker", "trackers"],
        shows: &[
            "~analytics*", "gtag(", "~*telemetry*", "mixpanel*", "\"*mixpanel*", "amplitude*", "posthog*",
            "\"*posthog*", "segment.*", "~track(", "fbq(", "\"*googletagmanager*", "\"*google-analytics*",
        ],
        around: &[
            "sendBeacon(", "new Image().src", "Sentry.*", "newrelic*", "datadog*", "\"*hotjar*", "fullstory*",
            "\"*clarity.ms*", "\"*pixel*",
        ],
        ..NONE
    },
    Concept {
        name: "jQuery",
        mentions: &["jquery"],
        shows: &[
            "@js,html,php jQuery*", "@js,html,php $('*", "@js,html,php $(\"*", "\"*jquery*", "@js $(document*",
            "@js $(this*",
        ],
        around: &["\"*cash-dom*", "\"*zepto*", "angular.element(", "\"*umbrellajs*"],
        ..NONE
    },
    Concept {
        name: "direct access to the document",
        mentions: &[
            "dom manipulation", "direct dom", "dom access", "the dom", "manipulate the dom", "query selectors",
        ],
        shows: &[
            "document.getElement*", "document.querySelector*", "document.createElement(", ".appendChild(",
            ".innerHTML", "$('*", "ReactDOM.findDOMNode(", "findDOMNode(",
        ],
        around: &[
            "ref.current.* & = ", ".style.* & = ", "insertAdjacent*", ".classList.*", "cloneElement(",
            "new Function(", "MutationObserver(",
        ],
        ..NONE
    },
];
