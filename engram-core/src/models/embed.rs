//! The embedder inside the crate: a table of word-piece vectors, read in place. No network, no allocation to open it.
//!
//! The file's layout and tokeniser are fixed by the file; stored vectors depend on both.

use super::{Embedder, Thresholds};
use crate::error::{Error, ErrorKind, Result};
use crate::similarity::norm;
use crate::text;
use std::ops::Range;

static TABLE: &[u8] = include_bytes!("../../assets/engram-static-128.bin");

const MAGIC: &[u8] = b"ENGRVEC1";
const HEADER: usize = 64;
// No piece is longer (a test looks): a longer run of letters cannot make the greedy match quadratic.
const LONGEST_PIECE: usize = 20;

/// A static word-piece table: a text's vector is the normalised sum of the vectors of its pieces.
///
/// Opening reads the header alone; a warm text of 100 bytes takes about 10 microseconds. English and ASCII: other
/// characters are skipped.
#[derive(Clone, Copy, Debug)]
pub struct StaticEmbedder {
    model: &'static str,
    dims: usize,
    slots: usize,
    table: &'static [u8],
    offsets: &'static [u8],
    strings: &'static [u8],
    scales: &'static [u8],
    rows: &'static [u8],
}

impl StaticEmbedder {
    /// The table that ships inside the crate: 128 dimensions.
    ///
    /// # Errors
    /// `Corrupt` if the file compiled in is not such a table.
    pub fn builtin() -> Result<StaticEmbedder> {
        StaticEmbedder::open("engram-static-128", TABLE)
    }

    /// A table in memory. Looks at the header and at the bounds of each part.
    ///
    /// # Errors
    /// `Corrupt` if the magic, a count or an offset is wrong.
    pub fn open(model: &'static str, data: &'static [u8]) -> Result<StaticEmbedder> {
        parts(model, data).ok_or_else(|| {
            Error::new(ErrorKind::Corrupt, format!("embedding table \"{model}\" is damaged: its header does not fit"))
        })
    }

    /// The vector of one text, of length 1; `None` if nothing in it is in the table.
    pub fn vector(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.dims];
        self.each_piece(text, &mut |piece| self.add_row(piece, &mut sum));
        let length = norm(&sum);
        if !(length.is_finite() && length > 0.0) {
            return None;
        }
        sum.iter_mut().for_each(|x| *x /= length);
        Some(sum)
    }

    /// Whether a lower-case word is one piece of the table.
    pub fn knows(&self, word: &str) -> bool {
        self.find(b"", word.as_bytes()).is_some()
    }

    fn each_piece(&self, text: &str, visit: &mut dyn FnMut(usize)) {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty());
        for word in words {
            match self.find(b"", word.to_ascii_lowercase().as_bytes()) {
                Some(piece) => visit(piece),
                None => text::split_identifier(word).iter().for_each(|part| self.each_subword(part, visit)),
            }
        }
    }

    /// The longest piece from the left, again and again; a character that starts no piece is skipped.
    fn each_subword(&self, part: &str, visit: &mut dyn FnMut(usize)) {
        let part = part.to_ascii_lowercase();
        let bytes = part.as_bytes();
        let mut start = 0;
        while start < bytes.len() {
            let prefix: &[u8] = if start == 0 { b"" } else { b"##" };
            let longest = bytes.len().min(start + LONGEST_PIECE);
            let found = (start + 1..=longest).rev().find_map(|end| Some((end, self.find(prefix, &bytes[start..end])?)));
            if let Some((_, piece)) = found {
                visit(piece);
            }
            start = found.map_or(start + 1, |(end, _)| end);
        }
    }

    /// The index of the piece `prefix` + `rest`: FNV-1a, linear probing.
    fn find(&self, prefix: &[u8], rest: &[u8]) -> Option<usize> {
        let hash =
            prefix.iter().chain(rest).fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(*b)).wrapping_mul(0x0100_0193));
        let mut slot = hash as usize & (self.slots - 1);
        for _ in 0..self.slots {
            let piece = usize::from(u16_at(self.table, slot)?).checked_sub(1)?;
            if self.piece(piece)?.strip_prefix(prefix) == Some(rest) {
                return Some(piece);
            }
            slot = (slot + 1) & (self.slots - 1);
        }
        None
    }

    fn piece(&self, index: usize) -> Option<&'static [u8]> {
        let (from, to) = (u32_at(self.offsets, index)?, u32_at(self.offsets, index + 1)?);
        self.strings.get(from..to)
    }

    fn add_row(&self, piece: usize, sum: &mut [f32]) {
        let row = self.rows.get(piece * self.dims / 2..(piece + 1) * self.dims / 2);
        let (Some(row), Some(scale)) = (row, f32_at(self.scales, piece)) else { return };
        for (pair, byte) in sum.chunks_exact_mut(2).zip(row) {
            pair[0] += scale * (f32::from(byte & 0x0f) - 8.0);
            pair[1] += scale * (f32::from(byte >> 4) - 8.0);
        }
    }
}

impl Embedder for StaticEmbedder {
    fn model(&self) -> &str {
        self.model
    }

    fn dimensions(&self) -> usize {
        self.dims
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        Ok(texts.iter().map(|t| self.vector(t)).collect())
    }

    fn thresholds(&self) -> Thresholds {
        builtin_thresholds()
    }
}

/// What the built-in table needs: measured on pairs of names with known answers, on the side of missed merges, since a
/// false merge destroys knowledge and a missed one costs a duplicate.
pub fn builtin_thresholds() -> Thresholds {
    Thresholds {
        same_name: 0.35,
        merge: 0.85,
        merge_apart: 0.74,
        child: 0.80,
        child_contained: 0.24,
        child_shared: 0.35,
        whole_word: is_word,
    }
}

/// Whether a lower-case word is one word of the built-in table.
pub fn is_word(word: &str) -> bool {
    StaticEmbedder::builtin().is_ok_and(|table| table.knows(word))
}

fn parts(model: &'static str, data: &'static [u8]) -> Option<StaticEmbedder> {
    let header = data.get(..HEADER)?.strip_prefix(MAGIC)?;
    let field = |i| u32_at(header, i);
    let (pieces, dims, bits, slots) = (field(0)?, field(1)?, field(2)?, field(3)?);
    let sound = bits == 4 && pieces < 65_535 && (2..=4096).contains(&dims) && dims % 2 == 0;
    if !(sound && slots.is_power_of_two() && pieces < slots && slots <= 1 << 20) {
        return None;
    }
    let starts = [field(4)?, field(5)?, field(6)?, field(7)?, field(8)?];
    let slice = |from: usize, length: usize| data.get(Range { start: from, end: from.checked_add(length)? });
    let strings = data.get(starts[2]..starts[3])?;
    Some(StaticEmbedder {
        model,
        dims,
        slots,
        table: slice(starts[0], 2 * slots)?,
        offsets: slice(starts[1], 4 * (pieces + 1))?,
        strings,
        scales: slice(starts[3], 4 * pieces)?,
        rows: slice(starts[4], pieces * dims / 2)?,
    })
}

// `include_bytes!` promises no alignment, so numbers are put together from bytes.
fn bytes_at<const N: usize>(data: &[u8], index: usize) -> Option<[u8; N]> {
    data.get(N * index..N * (index + 1))?.try_into().ok()
}

fn u16_at(data: &[u8], index: usize) -> Option<u16> {
    bytes_at(data, index).map(u16::from_le_bytes)
}

fn u32_at(data: &[u8], index: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(bytes_at(data, index)?)).ok()
}

fn f32_at(data: &[u8], index: usize) -> Option<f32> {
    bytes_at(data, index).map(f32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    // The builder's own answers: pieces, and the first eight numbers of the vector.
    const GOLDEN: &[(&str, &str, [f32; 8])] = &[
        (
            "SQLite 3.53.0: Embedded SQL database",
            "sqlite 3 53 0 embedded sql database",
            [0.2085, 0.1851, 0.075, -0.0606, -0.1506, 0.0122, 0.0962, 0.2556],
        ),
        (
            "parseRetryAfter in src/http/client.rs",
            "parse retry after in src http client rs",
            [0.172, 0.0363, 0.3311, 0.0706, -0.048, -0.0497, 0.061, 0.0919],
        ),
        (
            "error[E0502]: cannot borrow `self.nodes` as mutable",
            "error e 050 ##2 cannot borrow self nodes as mutable",
            [0.0159, 0.0149, 0.4693, 0.0027, -0.2189, 0.0639, 0.0991, 0.0949],
        ),
        (
            "XMLHttpRequest2 get_user_by_ID",
            "xml http request 2 get user by id",
            [0.1957, -0.0232, 0.2264, 0.0345, -0.093, -0.0175, 0.0462, 0.1601],
        ),
        ("\u{65e5}\u{672c}\u{8a9e} only", "only", [-0.0777, -0.0777, 0.2719, 0.1942, 0.0388, -0.1942, 0.1553, 0.1553]),
    ];

    fn builtin() -> StaticEmbedder {
        StaticEmbedder::builtin().unwrap()
    }

    #[test]
    fn golden_pieces_and_vectors() {
        let table = builtin();
        for (text, pieces, first) in GOLDEN {
            let mut found = Vec::new();
            table.each_piece(text, &mut |p| found.push(String::from_utf8_lossy(table.piece(p).unwrap())));
            assert_eq!(found.join(" "), *pieces);
            let vector = table.vector(text).unwrap();
            for (got, want) in vector.iter().zip(first) {
                assert!((got - want).abs() < 6e-5, "{text}: {got} is not {want}");
            }
            assert!((norm(&vector) - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn a_text_without_known_pieces_has_no_vector() {
        let texts = ["", " \n", "\u{65e5}\u{672c}\u{8a9e}", "a known word"];
        let vectors = builtin().embed(&texts).unwrap();
        assert_eq!(vectors.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, false, true]);
        assert_eq!(vectors[3].as_ref().unwrap().len(), builtin().dimensions());
    }

    #[test]
    fn every_piece_is_found_again_and_none_is_longer_than_the_bound() {
        let table = builtin();
        let pieces = table.scales.len() / 4;
        assert_eq!(pieces, 31_558);
        for index in 0..pieces {
            let piece = table.piece(index).unwrap();
            assert!(piece.len() <= LONGEST_PIECE, "{}", String::from_utf8_lossy(piece));
            assert_eq!(table.find(b"", piece), Some(index));
        }
    }

    #[test]
    fn a_long_run_of_letters_is_linear() {
        assert!(builtin().vector(&"qzx".repeat(4_000)).is_some());
    }

    #[test]
    fn the_file_is_as_it_was_built() {
        let crc = TABLE[HEADER..].iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |c, _| (c >> 1) ^ (0xedb8_8320 & (c & 1).wrapping_neg()))
        });
        assert_eq!(u32_at(&TABLE[MAGIC.len()..], 9), Some(!crc as usize));
    }

    #[test]
    fn a_damaged_table_is_an_error_not_a_panic() {
        let damage: [fn(&mut Vec<u8>); 5] = [
            |d| d[0] = b'X',
            |d| d.truncate(40),
            |d| d.truncate(d.len() - 1),
            |d| d[8..12].copy_from_slice(&60_000_u32.to_le_bytes()),
            |d| d[40..44].copy_from_slice(&u32::MAX.to_le_bytes()),
        ];
        for break_it in damage {
            let mut data = TABLE.to_vec();
            break_it(&mut data);
            let error = StaticEmbedder::open("broken", data.leak()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corrupt);
        }
    }

    #[test]
    fn words_of_the_table_are_whole() {
        assert!(is_word("postgresql") && is_word("mysql"));
        assert!(!is_word("userrepository"));
    }

    #[test]
    fn related_texts_are_closer_than_unrelated_ones() {
        let v = |t| builtin().vector(t).unwrap();
        let query = v("why does the login session expire");
        let near = super::super::cosine(&query, &v("user authentication tokens time out"));
        let far = super::super::cosine(&query, &v("image thumbnails are resized on upload"));
        assert!(near > far + 0.1, "{near} {far}");
    }
}
