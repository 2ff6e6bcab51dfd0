//! Words, pipes, redirections and here-documents of a POSIX-like shell command.

const MAX_COMMANDS: usize = 64;

/// How a command is joined to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Link {
    /// The first, or after `;`, `&` or a line's end.
    #[default]
    Sequence,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
}

/// A file that output goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Redirect {
    pub(crate) path: String,
    pub(crate) append: bool,
}

/// One command without pipes in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Simple {
    pub(crate) words: Vec<String>,
    pub(crate) link: Link,
    pub(crate) outputs: Vec<Redirect>,
    pub(crate) input: Option<String>,
    /// The text of a here-document or here-string.
    pub(crate) heredoc: Option<String>,
}

/// The commands of `source`, at most 64. Never fails: what is not understood becomes words.
pub(crate) fn commands(source: &str) -> Vec<Simple> {
    let mut lexer = Lexer {
        source,
        at: 0,
        done: Vec::new(),
        now: Simple::default(),
        word: None,
        target: None,
        pending: Vec::new(),
    };
    lexer.run();
    lexer.done
}

/// What the next word is for.
#[derive(Clone, Copy)]
enum Target {
    Output {
        append: bool,
    },
    /// A descriptor or a stream that is not followed.
    Ignore,
    Input,
    HereString,
    HereDoc {
        strip_tabs: bool,
    },
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    done: Vec<Simple>,
    now: Simple,
    word: Option<String>,
    target: Option<Target>,
    /// Here-documents whose text follows the line: the command's index, the delimiter, whether tabs are stripped.
    pending: Vec<(usize, String, bool)>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(c) = self.source[self.at..].chars().next() {
            if self.done.len() >= MAX_COMMANDS {
                return;
            }
            self.at += c.len_utf8();
            self.step(c);
        }
        self.end_command(Link::Sequence);
    }

    fn step(&mut self, c: char) {
        match c {
            '\\' => self.escape(),
            '\'' => self.single_quoted(),
            '"' => self.double_quoted(),
            '`' => self.backquoted(),
            '$' if self.next_is("(") => self.substitution(),
            ' ' | '\t' | '\r' => self.end_word(),
            '\n' => {
                self.end_command(Link::Sequence);
                self.read_heredocs();
            }
            '#' if self.word.is_none() => self.at = self.line_end(),
            ';' | '(' | ')' => self.end_command(Link::Sequence),
            '&' if self.next_is("&") => self.operator(1, Link::And),
            '&' if self.next_is(">") => self.end_word(),
            '&' => self.end_command(Link::Sequence),
            '|' if self.next_is("|") => self.operator(1, Link::Or),
            '|' => self.operator(usize::from(self.next_is("&")), Link::Pipe),
            '>' => self.output(),
            '<' => self.input(),
            other => self.push(other),
        }
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn next_is(&self, text: &str) -> bool {
        self.source[self.at..].starts_with(text)
    }

    fn take_if(&mut self, text: &str) -> bool {
        let there = self.next_is(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    fn line_end(&self) -> usize {
        self.source[self.at..].find('\n').map_or(self.source.len(), |n| self.at + n)
    }

    fn escape(&mut self) {
        if let Some(c) = self.source[self.at..].chars().next() {
            self.at += c.len_utf8();
            if c != '\n' {
                self.push(c);
            }
        }
    }

    fn single_quoted(&mut self) {
        let rest = &self.source[self.at..];
        let len = rest.find('\'').unwrap_or(rest.len());
        self.word.get_or_insert_default().push_str(&rest[..len]);
        self.at = (self.at + len + 1).min(self.source.len());
    }

    fn double_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(c) = self.source[self.at..].chars().next() {
            self.at += c.len_utf8();
            match c {
                '"' => return,
                '\\' => self.escape(),
                '$' if self.next_is("(") => self.substitution(),
                other => self.push(other),
            }
        }
    }

    fn backquoted(&mut self) {
        let rest = &self.source[self.at..];
        let len = rest.find('`').unwrap_or(rest.len());
        let text = format!("`{}`", &rest[..len]);
        self.word.get_or_insert_default().push_str(&text);
        self.at = (self.at + len + 1).min(self.source.len());
    }

    /// Copies `$(…)` as it stands.
    fn substitution(&mut self) {
        let end = substitution_end(self.source, self.at + 1);
        let text = &self.source[self.at - 1..end];
        self.word.get_or_insert_default().push_str(text);
        self.at = end;
    }

    fn operator(&mut self, more: usize, link: Link) {
        self.at += more;
        self.end_command(link);
    }

    fn output(&mut self) {
        let append = self.take_if(">");
        self.take_if("|");
        let to_descriptor = self.take_if("&");
        let from = self.word.take_if(|w| w.bytes().all(|b| b.is_ascii_digit()));
        self.end_word();
        let other_stream = from.is_some_and(|f| f != "1");
        self.target = Some(if to_descriptor || other_stream { Target::Ignore } else { Target::Output { append } });
    }

    fn input(&mut self) {
        let target = if self.take_if("<<") {
            Target::HereString
        } else if self.take_if("<") {
            Target::HereDoc { strip_tabs: self.take_if("-") }
        } else if self.take_if("(") {
            let end = substitution_end(self.source, self.at);
            self.at = end;
            return;
        } else {
            Target::Input
        };
        self.end_word();
        self.target = Some(target);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.target.take() {
            None => self.now.words.push(word),
            Some(Target::Output { append }) => self.now.outputs.push(Redirect { path: word, append }),
            Some(Target::Input) => self.now.input = Some(word),
            Some(Target::HereString) => self.now.heredoc = Some(word),
            Some(Target::HereDoc { strip_tabs }) => self.pending.push((self.done.len(), word, strip_tabs)),
            Some(Target::Ignore) => {}
        }
    }

    fn end_command(&mut self, next: Link) {
        self.end_word();
        self.target = None;
        let waits = self.pending.iter().any(|(command, ..)| *command == self.done.len());
        if !self.now.words.is_empty() || !self.now.outputs.is_empty() || waits {
            self.done.push(std::mem::take(&mut self.now));
        }
        self.now = Simple { link: next, ..Simple::default() };
    }

    fn read_heredocs(&mut self) {
        for (command, delimiter, strip_tabs) in std::mem::take(&mut self.pending) {
            let (text, end) = heredoc(self.source, self.at, &delimiter, strip_tabs);
            self.at = end;
            if let Some(simple) = self.done.get_mut(command) {
                simple.heredoc = Some(text);
            }
        }
    }
}

/// The text of a here-document that starts at `at`, and where the line after its delimiter starts.
fn heredoc(source: &str, at: usize, delimiter: &str, strip_tabs: bool) -> (String, usize) {
    let (mut text, mut at) = (String::new(), at);
    for line in source[at..].split_inclusive('\n') {
        at += line.len();
        let shown = if strip_tabs { line.trim_start_matches('\t') } else { line };
        if shown.trim_end_matches(['\n', '\r']) == delimiter {
            break;
        }
        text.push_str(shown);
    }
    (text, at)
}

/// The end of a `$(` whose text starts at `at`, with quotes, nesting and here-documents inside.
fn substitution_end(source: &str, at: usize) -> usize {
    let bytes = source.as_bytes();
    let (mut at, mut depth) = (at, 1);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'\'' => at += source[at + 1..].find('\'').map_or(source.len() - at, |n| n + 1),
            b'<' if source[at..].starts_with("<<") && !source[at..].starts_with("<<<") => {
                at = skip_heredoc(source, at + 2)
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    let mut end = at.min(bytes.len());
    while !source.is_char_boundary(end) {
        end += 1;
    }
    end
}

/// The last byte of a here-document whose delimiter follows at `at`.
fn skip_heredoc(source: &str, at: usize) -> usize {
    let line_end = source[at..].find('\n').map_or(source.len(), |n| at + n);
    let word: String = source[at..line_end]
        .trim_start_matches('-')
        .trim_start()
        .chars()
        .filter(|c| !matches!(c, '\'' | '"' | '\\'))
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    if word.is_empty() || line_end == source.len() {
        return at;
    }
    heredoc(source, line_end + 1, &word, true).1.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<Vec<String>> {
        commands(source).into_iter().map(|c| c.words).collect()
    }

    #[test]
    fn quotes_and_operators_split_as_a_shell_does() {
        let cases: &[(&str, &[&[&str]])] = &[
            ("cargo test 2>&1 | tail -5", &[&["cargo", "test"], &["tail", "-5"]]),
            ("a 'b c' \"d e\" f\\ g", &[&["a", "b c", "d e", "f g"]]),
            ("a && b || c; d &\ne", &[&["a"], &["b"], &["c"], &["d"], &["e"]]),
            ("echo \"$(date; ls)\" # note; x", &[&["echo", "$(date; ls)"]]),
            ("(cd x; make)", &[&["cd", "x"], &["make"]]),
        ];
        for (source, expected) in cases {
            assert_eq!(&words(source), expected, "{source}");
        }
    }

    #[test]
    fn redirections_and_heredocs_belong_to_their_command() {
        let all = commands("cat > a.txt <<'EOF'\nx; y\n$z\nEOF\nls >> log 2>/dev/null");
        assert_eq!(all[0].heredoc.as_deref(), Some("x; y\n$z\n"));
        assert_eq!(all[0].outputs, [Redirect { path: "a.txt".to_owned(), append: false }]);
        assert_eq!(all[1].words, ["ls"]);
        assert_eq!(all[1].outputs, [Redirect { path: "log".to_owned(), append: true }]);
    }

    #[test]
    fn a_heredoc_in_a_commit_message_is_one_word() {
        let all = words("git commit -m \"$(cat <<'EOF'\nfix: it's (done\n\ncargo test\nEOF\n)\" && git push");
        assert_eq!(all.len(), 2);
        assert_eq!(all[1], ["git", "push"]);
    }

    #[test]
    fn unclosed_things_are_survived() {
        for source in ["echo 'abc", "echo \"abc", "echo $(abc", "cat <<EOF", "cat <<", "a >", "`", "\\", "<(", "é'"] {
            commands(source);
        }
    }
}
