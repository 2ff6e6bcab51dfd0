//! Files of one JSON record a line, plain or compressed.

use flate2::read::MultiGzDecoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

/// What a command comes to.
pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// Reads every record of a file; a name ending in `.gz` is taken as compressed.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Outcome<Vec<T>> {
    let named = |e: &dyn Error| format!("cannot read \"{}\": {e}", path.display());
    let mut text = String::new();
    let mut file = File::open(path).map_err(|e| named(&e))?;
    let compressed = path.extension().is_some_and(|e| e == "gz");
    if compressed { MultiGzDecoder::new(file).read_to_string(&mut text) } else { file.read_to_string(&mut text) }
        .map_err(|e| named(&e))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|e| format!("\"{}\", line {}: {e}", path.display(), at + 1).into())
        })
        .collect()
}

/// Writes records, one a line.
pub(crate) fn write<T: Serialize>(path: &Path, records: &[T]) -> Outcome<()> {
    let file = File::create(path).map_err(|e| format!("cannot write \"{}\": {e}", path.display()))?;
    let mut out = BufWriter::new(file);
    for record in records {
        serde_json::to_writer(&mut out, record)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn reads_plain_and_compressed_alike() {
        let dir = tempfile::tempdir().unwrap();
        let rows = [json!({"id": 1}), json!({"id": 2})];
        let plain = dir.path().join("a.jsonl");
        write(&plain, &rows).unwrap();
        let packed = dir.path().join("a.jsonl.gz");
        let mut gz = flate2::write::GzEncoder::new(File::create(&packed).unwrap(), flate2::Compression::fast());
        gz.write_all(&std::fs::read(&plain).unwrap()).unwrap();
        gz.finish().unwrap();
        assert_eq!(read::<Value>(&plain).unwrap(), rows);
        assert_eq!(read::<Value>(&packed).unwrap(), rows);
    }

    #[test]
    fn names_file_and_line_of_what_is_no_record() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bad.jsonl");
        std::fs::write(&path, "{}\n\n{\n").unwrap();
        let said = read::<Value>(&path).unwrap_err().to_string();
        assert!(said.contains("bad.jsonl") && said.contains("line 3"), "{said}");
    }
}
