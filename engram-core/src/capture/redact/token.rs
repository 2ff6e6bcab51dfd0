//! Credentials that are recognisable by themselves.

use super::{Hit, run};

/// What may follow a prefix.
#[derive(Clone, Copy)]
enum Body {
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`.
    Url,
    /// Lower-case hexadecimal.
    Hex,
    /// Upper-case letters and digits.
    Upper,
    /// Letters and digits in groups joined by `-`.
    Dashed,
    /// [`Body::Url`] with `.`, `/` and `+` inside.
    Path,
}

impl Body {
    fn holds(self, b: u8) -> bool {
        match self {
            Body::Alnum => b.is_ascii_alphanumeric(),
            Body::Url => b.is_ascii_alphanumeric() || b == b'_' || b == b'-',
            Body::Hex => b.is_ascii_digit() || (b'a'..=b'f').contains(&b),
            Body::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Body::Dashed => b.is_ascii_alphanumeric() || b == b'-',
            Body::Path => b.is_ascii_alphanumeric() || b"_-./+=".contains(&b),
        }
    }
}

/// Prefix, form of the rest, least length of the rest, kind. Sorted by first byte; of two that fit the first wins, so the
/// longer prefix stands first.
const PREFIXES: &[(&str, Body, usize, &str)] = &[
    ("1//0", Body::Url, 30, "google-token"),
    ("ABIA", Body::Upper, 16, "aws-key-id"),
    ("ACCA", Body::Upper, 16, "aws-key-id"),
    ("AGE-SECRET-KEY-1", Body::Upper, 40, "age-key"),
    ("AIza", Body::Url, 30, "google-key"),
    ("AKIA", Body::Upper, 16, "aws-key-id"),
    ("ASIA", Body::Upper, 16, "aws-key-id"),
    ("ATATT3", Body::Path, 40, "atlassian-token"),
    ("ATBB", Body::Alnum, 28, "bitbucket-token"),
    ("A3-", Body::Dashed, 30, "onepassword-key"),
    ("AKCp", Body::Alnum, 64, "jfrog-token"),
    ("API-", Body::Upper, 26, "octopus-key"),
    ("AQVN", Body::Url, 35, "yandex-key"),
    ("CFPAT-", Body::Url, 40, "contentful-token"),
    ("CCIPAT_", Body::Url, 30, "circleci-token"),
    ("CLOJARS_", Body::Alnum, 55, "clojars-token"),
    ("EZAK", Body::Alnum, 50, "easypost-key"),
    ("EZTK", Body::Alnum, 50, "easypost-key"),
    ("EAAC", Body::Alnum, 60, "facebook-token"),
    ("EAAM", Body::Alnum, 60, "facebook-token"),
    ("FLWSECK", Body::Url, 12, "flutterwave-key"),
    ("GOCSPX-", Body::Url, 20, "google-secret"),
    ("GR1348941", Body::Url, 18, "gitlab-token"),
    ("HRKU-", Body::Url, 36, "heroku-key"),
    ("LTAI", Body::Alnum, 16, "alibaba-key-id"),
    ("NRAK-", Body::Alnum, 20, "newrelic-key"),
    ("NRII-", Body::Url, 32, "newrelic-key"),
    ("NRJS-", Body::Hex, 19, "newrelic-key"),
    ("PMAK-", Body::Url, 40, "postman-key"),
    ("SG.", Body::Path, 40, "sendgrid-key"),
    ("SK", Body::Hex, 32, "twilio-key"),
    ("YCAJE", Body::Url, 20, "yandex-key"),
    ("ZXlK", Body::Path, 60, "jwt"),
    ("access-development-", Body::Dashed, 32, "plaid-token"),
    ("access-production-", Body::Dashed, 32, "plaid-token"),
    ("access-sandbox-", Body::Dashed, 32, "plaid-token"),
    ("bkua_", Body::Hex, 40, "buildkite-token"),
    ("cmVmd", Body::Alnum, 55, "jfrog-token"),
    ("dapi", Body::Hex, 30, "databricks-token"),
    ("dckr_pat_", Body::Url, 20, "docker-token"),
    ("dckr_oat_", Body::Url, 20, "docker-token"),
    ("discord.com/api/webhooks/", Body::Path, 30, "webhook"),
    ("discordapp.com/api/webhooks/", Body::Path, 30, "webhook"),
    ("doo_v1_", Body::Hex, 40, "digitalocean-token"),
    ("dop_v1_", Body::Hex, 40, "digitalocean-token"),
    ("dor_v1_", Body::Hex, 40, "digitalocean-token"),
    ("dp.pt.", Body::Alnum, 30, "doppler-token"),
    ("dp.st.", Body::Path, 30, "doppler-token"),
    ("dt0c01.", Body::Path, 40, "dynatrace-token"),
    ("dnkey-", Body::Url, 50, "defined-key"),
    ("duffel_live_", Body::Url, 40, "duffel-token"),
    ("duffel_test_", Body::Url, 40, "duffel-token"),
    ("figd_", Body::Url, 30, "figma-token"),
    ("fm1_", Body::Path, 30, "fly-token"),
    ("fm2_", Body::Path, 30, "fly-token"),
    ("fio-u-", Body::Url, 60, "frameio-token"),
    ("github_pat_", Body::Url, 36, "github-token"),
    ("ghp_", Body::Alnum, 30, "github-token"),
    ("gho_", Body::Alnum, 30, "github-token"),
    ("ghs_", Body::Path, 30, "github-token"),
    ("ghu_", Body::Alnum, 30, "github-token"),
    ("ghr_", Body::Alnum, 30, "github-token"),
    ("glpat-", Body::Path, 18, "gitlab-token"),
    ("gldt-", Body::Url, 18, "gitlab-token"),
    ("glrt-", Body::Path, 18, "gitlab-token"),
    ("glptt-", Body::Url, 18, "gitlab-token"),
    ("glcbt-", Body::Url, 18, "gitlab-token"),
    ("glft-", Body::Url, 18, "gitlab-token"),
    ("glsoat-", Body::Url, 18, "gitlab-token"),
    ("glc_", Body::Path, 30, "grafana-token"),
    ("glsa_", Body::Url, 30, "grafana-token"),
    ("gsk_", Body::Alnum, 30, "groq-key"),
    ("hf_", Body::Alnum, 30, "huggingface-token"),
    ("hooks.slack.com/services/", Body::Path, 30, "webhook"),
    ("hooks.slack.com/workflows/", Body::Path, 30, "webhook"),
    ("hooks.zapier.com/hooks/catch/", Body::Path, 12, "webhook"),
    ("hvb.", Body::Url, 40, "vault-token"),
    ("hvs.", Body::Url, 24, "vault-token"),
    ("ico-", Body::Alnum, 32, "infracost-token"),
    ("key-", Body::Hex, 32, "mailgun-key"),
    ("lin_api_", Body::Alnum, 30, "linear-key"),
    ("lsv2_", Body::Url, 30, "langsmith-key"),
    ("live_", Body::Hex, 35, "lob-key"),
    ("nfp_", Body::Alnum, 30, "netlify-token"),
    ("npm_", Body::Alnum, 30, "npm-token"),
    ("ntn_", Body::Alnum, 30, "notion-token"),
    ("nvapi-", Body::Url, 40, "nvidia-key"),
    ("oy2", Body::Alnum, 43, "nuget-key"),
    ("ops_eyJ", Body::Path, 60, "onepassword-token"),
    ("pcsk_", Body::Url, 30, "pinecone-key"),
    ("phx_", Body::Alnum, 30, "posthog-key"),
    ("pnu_", Body::Alnum, 30, "prefect-key"),
    ("pplx-", Body::Alnum, 30, "perplexity-key"),
    ("pscale_oauth_", Body::Url, 30, "planetscale-token"),
    ("pscale_pw_", Body::Url, 30, "planetscale-token"),
    ("pscale_tkn_", Body::Url, 30, "planetscale-token"),
    ("pul-", Body::Hex, 40, "pulumi-token"),
    ("pypi-", Body::Url, 50, "pypi-token"),
    ("p8e-", Body::Alnum, 32, "adobe-secret"),
    ("pat.", Body::Path, 40, "harness-token"),
    ("pk.eyJ", Body::Path, 57, "mapbox-token"),
    ("pubkey-", Body::Hex, 32, "mailgun-key"),
    ("r8_", Body::Alnum, 30, "replicate-token"),
    ("rdme_", Body::Alnum, 40, "readme-key"),
    ("rk_live_", Body::Alnum, 16, "stripe-key"),
    ("rk_test_", Body::Alnum, 16, "stripe-key"),
    ("rpa_", Body::Alnum, 30, "runpod-key"),
    ("rubygems_", Body::Hex, 40, "rubygems-key"),
    ("rk_prod_", Body::Alnum, 16, "stripe-key"),
    ("sbp_", Body::Hex, 30, "supabase-token"),
    ("secret_", Body::Alnum, 40, "notion-token"),
    ("sgp_", Body::Url, 30, "sourcegraph-token"),
    ("shpat_", Body::Hex, 30, "shopify-token"),
    ("shpca_", Body::Hex, 30, "shopify-token"),
    ("shppa_", Body::Hex, 30, "shopify-token"),
    ("shpss_", Body::Hex, 30, "shopify-token"),
    ("shippo_live_", Body::Hex, 30, "shippo-token"),
    ("sk-ant-", Body::Url, 20, "anthropic-key"),
    ("sk-or-v1-", Body::Hex, 30, "openrouter-key"),
    ("sk-", Body::Url, 20, "openai-key"),
    ("sk_live_", Body::Alnum, 16, "stripe-key"),
    ("sk_test_", Body::Alnum, 16, "stripe-key"),
    ("sl.", Body::Url, 100, "dropbox-token"),
    ("sntrys_", Body::Path, 40, "sentry-token"),
    ("sntryu_", Body::Hex, 40, "sentry-token"),
    ("sq0atp-", Body::Url, 20, "square-token"),
    ("sq0csp-", Body::Url, 30, "square-token"),
    ("sat.", Body::Path, 40, "harness-token"),
    ("sha256~", Body::Url, 43, "openshift-token"),
    ("sk_prod_", Body::Alnum, 16, "stripe-key"),
    ("sm_aat_", Body::Alnum, 16, "settlemint-token"),
    ("sm_pat_", Body::Alnum, 16, "settlemint-token"),
    ("sm_sat_", Body::Alnum, 16, "settlemint-token"),
    ("sqa_", Body::Hex, 40, "sonar-token"),
    ("sqp_", Body::Hex, 40, "sonar-token"),
    ("squ_", Body::Hex, 40, "sonar-token"),
    ("tfp_", Body::Path, 40, "typeform-token"),
    ("tskey-", Body::Url, 20, "tailscale-key"),
    ("test_", Body::Hex, 35, "lob-key"),
    ("v1.0-", Body::Dashed, 100, "cloudflare-key"),
    ("whsec_", Body::Path, 24, "webhook-secret"),
    ("xai-", Body::Alnum, 40, "xai-key"),
    ("xapp-", Body::Url, 20, "slack-token"),
    ("xoxa-", Body::Url, 20, "slack-token"),
    ("xoxb-", Body::Url, 20, "slack-token"),
    ("xoxc-", Body::Url, 20, "slack-token"),
    ("xoxd-", Body::Path, 20, "slack-token"),
    ("xoxe", Body::Path, 20, "slack-token"),
    ("xoxo-", Body::Url, 20, "slack-token"),
    ("xoxp-", Body::Url, 20, "slack-token"),
    ("xoxr-", Body::Url, 20, "slack-token"),
    ("xoxs-", Body::Url, 20, "slack-token"),
    ("xkeysib-", Body::Url, 60, "sendinblue-token"),
    ("ya29.", Body::Url, 20, "google-token"),
];

/// For each first byte the rows of [`PREFIXES`] that begin with it.
static BY_FIRST: [(u8, u8); 128] = index();

const fn index() -> [(u8, u8); 128] {
    let mut table = [(0u8, 0u8); 128];
    let mut row = 0;
    while row < PREFIXES.len() {
        let first = PREFIXES[row].0.as_bytes()[0] as usize;
        if table[first].1 == 0 {
            table[first].0 = row as u8;
        }
        table[first].1 = row as u8 + 1;
        row += 1;
    }
    table
}

/// The credential that starts at `at`, where a word starts.
pub(super) fn known(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let (from, to) = BY_FIRST.get(bytes[at] as usize).copied().unwrap_or((0, 0));
    for (prefix, body, least, kind) in &PREFIXES[from as usize..to as usize] {
        if bytes[at..].starts_with(prefix.as_bytes()) {
            let start = at + prefix.len();
            let end = run(bytes, start, 4096, |b| body.holds(b));
            if end - start >= *least && is_random(&bytes[start..end]) {
                return Some(Hit::new(at..end, kind));
            }
        }
    }
    match bytes[at] {
        b'e' => jwt(text, at),
        b'0'..=b'9' => telegram(bytes, at),
        b'M' | b'N' | b'O' => discord(bytes, at),
        _ => None,
    }
}

/// Letters and digits in more than one spelling: no `xxxx`, no words joined by dashes.
fn is_random(body: &[u8]) -> bool {
    let digits = body.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = body.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let mut seen = [false; 128];
    body.iter().for_each(|b| seen[(*b & 127) as usize] = true);
    digits > 0 && letters > 0 && seen.iter().filter(|s| **s).count() >= 8
}

/// `header.payload` or `header.payload.signature`, base64url, the header an object.
fn jwt(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    if !bytes[at..].starts_with(b"eyJ") {
        return None;
    }
    let mut end = run(bytes, at, 8192, |b| Body::Url.holds(b));
    let mut parts = 1;
    if end - at < 12 {
        return None;
    }
    while parts < 5 && bytes.get(end) == Some(&b'.') {
        let next = run(bytes, end + 1, 16 * 1024, |b| Body::Url.holds(b));
        if next - end < 8 {
            break;
        }
        end = next;
        parts += 1;
    }
    (parts >= 2).then(|| Hit::new(at..end, "jwt"))
}

/// `123456789:AA…`, a bot's token.
fn telegram(bytes: &[u8], at: usize) -> Option<Hit> {
    let colon = run(bytes, at, 11, |b| b.is_ascii_digit());
    if !(8..=10).contains(&(colon - at)) || bytes.get(colon) != Some(&b':') {
        return None;
    }
    let end = run(bytes, colon + 1, 64, |b| Body::Url.holds(b));
    let body = &bytes[colon + 1..end];
    (body.len() == 35 && body.starts_with(b"AA") && is_random(body)).then(|| Hit::new(at..end, "telegram-token"))
}

/// Three base64url parts of the lengths of a Discord bot's token.
fn discord(bytes: &[u8], at: usize) -> Option<Hit> {
    let first = run(bytes, at, 40, |b| Body::Url.holds(b));
    if !(23..=28).contains(&(first - at)) || bytes.get(first) != Some(&b'.') {
        return None;
    }
    let second = run(bytes, first + 1, 10, |b| Body::Url.holds(b));
    if second - first != 7 || bytes.get(second) != Some(&b'.') {
        return None;
    }
    let end = run(bytes, second + 1, 64, |b| Body::Url.holds(b));
    (end - second > 27 && is_random(&bytes[at..first])).then(|| Hit::new(at..end, "discord-token"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_the_same_first_byte_stand_together() {
        let firsts: Vec<u8> = PREFIXES.iter().map(|p| p.0.as_bytes()[0]).collect();
        assert!(firsts.is_sorted());
        assert!(PREFIXES.len() < 255);
    }

    #[test]
    fn every_row_is_found_with_a_body_of_its_form_and_not_with_a_word() {
        for (prefix, body, least, kind) in PREFIXES {
            let letters: Vec<char> = (b'!'..=b'~').filter(|b| body.holds(*b)).map(char::from).collect();
            let secret: String = (0..*least).map(|i| letters[(i * 7 + 3) % letters.len()]).collect();
            let text = format!("x = {prefix}{secret} y");
            let hit = known(&text, 4).unwrap_or_else(|| panic!("{prefix} is not found"));
            assert!(hit.range == (4..text.len() - 2) && !hit.kind.is_empty(), "{prefix}: {hit:?}, not {kind}");
            let word = format!("x = {prefix}{} y", "e".repeat(*least));
            assert_eq!(known(&word, 4), None, "{prefix}");
        }
    }
}
