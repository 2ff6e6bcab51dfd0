//! Which handler knows a tool.

use super::{Handler, command, file, lookup};

/// Names in lower case without separators.
const TOOLS: &[(&[&str], Handler)] = &[
    (&["read", "readfile", "view", "viewfile", "openfile", "notebookread", "fileread", "readtextfile"], file::read),
    (&["readmanyfiles", "readmultiplefiles", "readfiles"], file::read),
    (&["write", "writefile", "createfile", "create", "filewrite", "newfile", "savefile"], file::write),
    (
        &["edit", "editfile", "replace", "strreplace", "fileedit", "searchreplace", "replaceinfile", "update"],
        file::edit,
    ),
    (&["multiedit", "multistrreplace"], file::edit),
    (&["notebookedit", "editnotebook"], file::notebook),
    (&["applypatch", "applydiff", "patch"], file::patch),
    (&["strreplaceeditor", "strreplacebasededittool", "texteditor", "editor"], file::editor),
    (&["deletefile", "removefile", "delete"], file::delete),
    (&["movefile", "renamefile"], file::rename),
    (
        &[
            "bash",
            "shell",
            "powershell",
            "runshellcommand",
            "execcommand",
            "localshell",
            "terminal",
            "runterminalcmd",
            "runcommand",
            "executecommand",
            "exec",
            "run",
            "cmd",
            "containerexec",
            "runinterminal",
            "executebash",
        ],
        command::run,
    ),
    (
        &[
            "grep",
            "grepsearch",
            "searchfilecontent",
            "ripgrep",
            "search",
            "codebasesearch",
            "searchfiles",
            "grepfiles",
            "searchcode",
        ],
        lookup::search,
    ),
    (&["glob", "find", "globfiles", "filesearch", "findfiles"], lookup::search),
    (&["ls", "listdirectory", "list", "listdir", "listfiles", "listdirectorycontents"], lookup::search),
    (
        &["websearch", "googlewebsearch", "searchweb", "webfetch", "fetch", "fetchurl", "webresearch", "browse"],
        lookup::research,
    ),
    (
        &["savedecision", "recorddecision", "decision", "decide", "logdecision", "savememory", "remember"],
        lookup::decision,
    ),
    (&["todowrite", "updatetodolist", "writetodos", "updateplan", "todo"], lookup::plan_list),
    (&["taskcreate", "taskupdate"], lookup::plan_task),
];

/// The handler of a tool, by its name without the server of an MCP tool.
pub(super) fn handler(name: &str) -> Option<Handler> {
    let own = name.strip_prefix("mcp__").and_then(|n| n.split_once("__")).map_or(name, |(_, tool)| tool);
    let own = own.rsplit(['.', ':']).next().unwrap_or(own);
    if own.len() > 40 {
        return None;
    }
    let plain: String = own.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    TOOLS.iter().find(|(names, _)| names.contains(&plain.as_str())).map(|(_, handler)| *handler)
}
