"""`sightread token`: add, list and revoke tokens of the service."""

from __future__ import annotations

from datetime import UTC, datetime

from sightread.cli.output import print_message, print_result, write
from sightread.cli.servers.arguments import TokenCommand
from sightread.render.errors import Rejected
from sightread.server.access.tokens import TokenFile, TokenRecord
from sightread.sites.folders import home_folder


async def token(options: TokenCommand) -> int:
    """Do one of the actions on the file of tokens."""
    file = TokenFile(options.file or (options.home or home_folder()) / "tokens.json")
    if options.action != "list" and not options.name:
        raise Rejected(
            f"token {options.action} needs a name: that of the caller{'' if options.action == 'add' else ', or the id of a token'}"
        )
    if options.action == "list" and options.name:
        raise Rejected(f"token list takes no name: leave {options.name} out")
    match options.action:
        case "add":
            made = file.add(options.name, options.scope or ("read", "jobs"), options.days)
            if options.json:
                print_result({"token": made, "file": str(file.path)}, json=True)
            else:
                write(f"{made}\n")
                print_message(f"{file.path} holds its hash alone: keep the token, it is not shown again")
        case "list":
            records = [_described(record) for record in file.records()]
            if options.json:
                print_result({"tokens": records}, json=True)
            else:
                write("".join("\t".join(map(str, record.values())) + "\n" for record in records))
        case _:
            revoked = file.revoke(options.name)
            going_on = sorted({record.name for record in revoked if "jobs" in file.rights(record.name)})
            ended = sorted({record.name for record in revoked}.difference(going_on))
            ids = [record.id for record in revoked]
            print_result({"revoked": ids, "jobs_end": ended, "jobs_go_on": going_on}, json=options.json)
            print_message("a running service ends the inspections of these tokens at once, and the jobs of callers without another token")
    return 0


def _described(record: TokenRecord) -> dict[str, str]:
    now = datetime.now(UTC).timestamp()
    state = "revoked" if record.revoked else "in use" if record.is_accepted(now) else "expired"
    until = datetime.fromtimestamp(record.expires, UTC).isoformat(timespec="seconds") if record.expires else "never"
    return {"id": record.id, "name": record.name, "scopes": ",".join(record.scopes), "state": state, "expires": until}
