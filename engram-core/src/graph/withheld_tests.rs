use super::*;

fn withheld(phrases: &[Phrase]) -> Withheld {
    phrases.iter().collect()
}

fn values(texts: &[&str]) -> Withheld {
    texts.iter().filter_map(|t| Phrase::words(t)).collect::<Vec<_>>().iter().collect()
}

#[test]
fn a_literal_is_found_anywhere_whatever_its_case_and_spaces() {
    let w = withheld(&[Phrase::text("Unter 2"), Phrase::text("*"), Phrase::text("%!")]);
    assert!(w.has_literal("hUNTER\n\t2x") && w.has_literal("2 * 3") && w.has_literal("100%!"));
    assert!(!w.has_literal("unter2") && !w.has_literal("100%") && !w.has_literal(""));
    assert_eq!(w.places("\u{c4}hunter  2!"), vec![3..11]);
}

#[test]
fn a_literal_of_one_character_and_of_any_alphabet_is_found() {
    for literal in ["\u{e9}", "\u{4f60}\u{597d}", "\u{130}x", "\u{1f600}", "ab", "abc", "abcd"] {
        let w = withheld(&[Phrase::text(literal)]);
        assert!(w.has_literal(&format!("before {} after", literal.to_uppercase())), "{literal}");
        assert!(!w.has_literal("before q after") || literal == "q", "{literal}");
    }
}

#[test]
fn a_value_is_its_words_and_is_found_inside_a_sentence_when_long_enough() {
    let w = values(&["Use tabs, not spaces.", "Use pnpm"]);
    assert!(w.is_value("use TABS (not spaces)") && w.is_value("use pnpm!"));
    assert!(w.hides("We decided: use tabs not spaces because of gofmt.") && !w.hides("Use pnpm for installs"));
    assert!(w.hides("Fix it. Use pnpm. Then run."), "a whole sentence");
    assert!(!w.hides("Reuse tabs, not spacesuits") && !w.hides("Use tabs") && !w.hides(""));
}

#[test]
fn what_is_stripped_is_the_sentence() {
    let w = values(&["the token is zebra 4711"]);
    let told = "Fixed `cart.py`. We know that the token is zebra-4711, alas! The token is zebra 4711.\nRan it.";
    assert_eq!(w.stripped(told).unwrap(), "Fixed `cart.py`. (forgotten)\nRan it.");
    assert_eq!(w.stripped("The token is zebra 4711").unwrap(), MARK);
    assert_eq!(w.stripped("Nothing of it."), None);
    assert!(is_nothing(" (forgotten) (forgotten). ") && !is_nothing("(forgotten) but this"));
}

#[test]
fn stripping_again_changes_nothing_and_leaves_nothing_behind() {
    let phrases = [Phrase::text("Zebra. Yak"), Phrase::words("one two three four five").unwrap()];
    let w = withheld(&phrases);
    let once = w.stripped("A zebra. Yak is here. One two, three four five six? Rest.").unwrap();
    assert_eq!(once, "(forgotten) Rest.", "a literal over a boundary takes both sentences");
    assert_eq!(w.stripped(&once), None);
}

#[test]
fn the_digest_of_a_phrase_is_that_of_the_tombstone() {
    let phrase = Phrase::words("Use Tabs, not spaces").unwrap();
    assert_eq!(phrase.value(), Some(value_digest("use tabs NOT spaces").as_str()));
    assert_eq!(Phrase::words(" ... "), None);
    let json = serde_json::to_string(&[phrase, Phrase::text("tabs"), Phrase::concept("cart.py")]).unwrap();
    assert!(!json.to_lowercase().contains("tabs") && !json.contains("cart"), "{json}");
    assert!(withheld(&[Phrase::concept("cart.py")]).is_concept("Cart.py"));
}

#[test]
fn an_empty_set_withholds_nothing() {
    let w = Withheld::default();
    assert!(w.is_empty() && !w.hides("anything") && w.stripped("anything").is_none() && !w.is_value(""));
}
