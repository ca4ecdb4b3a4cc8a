"""The table of commands: name, module in this package, one line of help. A new command is one line here.

The module holds a click command of the same name, or one that is called `command`.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    module: str
    help: str


COMMANDS: dict[str, Entry] = {
    "serve": Entry("serve", "Run WebVigil: look at pages and show the dashboard."),
    "worker": Entry("worker", "Look at pages, as one of many that share a database."),
    "watch": Entry("sentinels", "Watch one page: the short form of add."),
    "add": Entry("sentinels", "Install the sentinels of a file."),
    "list": Entry("sentinels", "List your sentinels."),
    "show": Entry("sentinels", "Show one sentinel and its next look."),
    "edit": Entry("edit", "Give a sentinel another text; its changes stay."),
    "enable": Entry("sentinels", "Let a disabled sentinel watch again."),
    "disable": Entry("sentinels", "Let a sentinel rest."),
    "remove": Entry("sentinels", "Remove a sentinel and its changes; undo-remove brings them back."),
    "undo-remove": Entry("sentinels", "Bring a removed sentinel back, with its changes."),
    "topic": Entry("topic", "Let a topic say clauses for all its sentinels."),
    "run": Entry("sentinels", "Look at a sentinel's pages now."),
    "changes": Entry("changes", "List the changes found, newest first."),
    "message": Entry("message", "Show what a sentinel's messages say, told with its last change."),
    "values": Entry("changes", "Tell the value that a sentinel follows over time."),
    "means": Entry("means", "Try what a language model would say of a sentinel's last changes."),
    "noise": Entry("noise", "Mark a change as noise, and see the clause that would have left it out."),
    "search": Entry("search", "Search the changes found, by words, topic, type and time."),
    "share": Entry("share", "Make, list and end links that show one change to anybody."),
    "versions": Entry("changes", "List the stored versions of a page."),
    "compare": Entry("compare", "Compare two stored versions of a page."),
    "evidence": Entry("evidence", "Prove what a page said and when, by a signed file."),
    "collect": Entry("collect", "Remove versions that nobody needs any more."),
    "log": Entry("changes", "Tell how a page was looked at, and why."),
    "graph": Entry("graph", "Show what is computed when a page changes, and who shares it."),
    "ping": Entry("ping", "Make a secret address at which a site tells that a page has changed."),
    "login": Entry("login", "Keep log-ins for pages that only you can see."),
    "contact": Entry("contact", "Say how you are reached: e-mail, webhooks, services, feeds."),
    "preferences": Entry("preferences", "Say when you want to be told, and when not."),
    "notices": Entry("notices", "List what was told, waits, or could not be delivered; try it again."),
    "summary": Entry("summary", "Tell how your sentinels stand."),
    "user": Entry("user", "Add, change and remove users, and make sign-in links."),
    "token": Entry("token", "Make, list and end API tokens."),
    "peer": Entry("peer", "Share the work with other WebVigil servers."),
    "agent": Entry("agent", "Let a sentinel work at a peer and write home."),
    "mcp": Entry("mcp", "Offer tools to assistants that speak the Model Context Protocol."),
    "import": Entry("moving", "Install what is in a file of addresses, or of another program."),
    "export": Entry("moving", "Write your sentinels to a file."),
    "backup": Entry("moving", "Write everything to one file, while WebVigil runs."),
    "restore": Entry("moving", "Bring a backup into a new store."),
    "settings": Entry("settings", "List all settings with their present values."),
    "check": Entry("check", "Check sentinels: print their canonical text, or what is wrong."),
    "diff": Entry("diff", "Compare two versions of a page."),
    "patch": Entry("patch", "Apply the edits of diff --edits to a document."),
    "digest": Entry("digest", "Show the Page Digest containers of a file."),
    "simulate": Entry("simulate", "Try the policies for the next look on pages whose changes are known."),
    "discover": Entry("discover", "Find services to watch: forms that answer as a service class says."),
    "pack": Entry("pack", "Pack documents small, into a file that answers XPath."),
    "unpack": Entry("unpack", "Write the documents of a packed file again."),
    "stat": Entry("stat", "Show what is in a packed file, and how large each part is."),
    "query": Entry("query", "Ask a packed file an XPath, without unpacking it."),
    "bench": Entry("bench", "Measure the figures of the documentation here."),
}
