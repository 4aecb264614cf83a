#!/bin/sh
# Starts the browser in the place of this shell, so that the process id noted here is the browser's own. It dies with its parent,
# where setpriv can see to that. SIGHTREAD_LAUNCH_EXECUTABLE: the browser; SIGHTREAD_LAUNCH_USER: numeric id of the user to become,
# empty to stay; SIGHTREAD_LAUNCH_FOLDER: where to leave the process ids.
set -eu
echo "$$" >"$SIGHTREAD_LAUNCH_FOLDER/browser.pid"
echo "$PPID" >"$SIGHTREAD_LAUNCH_FOLDER/driver.pid"
executable=$SIGHTREAD_LAUNCH_EXECUTABLE
user=$SIGHTREAD_LAUNCH_USER
unset SIGHTREAD_LAUNCH_EXECUTABLE SIGHTREAD_LAUNCH_USER SIGHTREAD_LAUNCH_FOLDER
if [ -n "$user" ]; then
    exec setpriv --reuid="$user" --regid="$user" --clear-groups --pdeathsig=KILL "$executable" "$@"
elif setpriv --pdeathsig=KILL true 2>/dev/null; then
    exec setpriv --pdeathsig=KILL "$executable" "$@"
fi
exec "$executable" "$@"
