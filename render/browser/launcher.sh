#!/bin/sh
# Starts the browser in place of this shell, so that the process id written here is the browser's own. It dies with its parent,
# where setpriv can see to that. SIGHTREAD_LAUNCH_EXECUTABLE: the browser; SIGHTREAD_LAUNCH_USER: numeric id of the user to become,
# empty to stay; SIGHTREAD_LAUNCH_FOLDER: where to leave the process ids; SIGHTREAD_LAUNCH_DISABLED: features to disable, besides those
# that the driver disables: of two such flags the browser reads only the last, so they are joined here.
set -eu
echo "$$" >"$SIGHTREAD_LAUNCH_FOLDER/browser.pid"
echo "$PPID" >"$SIGHTREAD_LAUNCH_FOLDER/driver.pid"
# The browser's session has the niceness of its processes too: Linux may compare niceness by session first (sched(7), autogroup).
{ nice >/proc/self/autogroup; } 2>/dev/null || :
executable=$SIGHTREAD_LAUNCH_EXECUTABLE
user=$SIGHTREAD_LAUNCH_USER
disabled=$SIGHTREAD_LAUNCH_DISABLED
unset SIGHTREAD_LAUNCH_EXECUTABLE SIGHTREAD_LAUNCH_USER SIGHTREAD_LAUNCH_FOLDER SIGHTREAD_LAUNCH_DISABLED
joined=
for argument; do
    shift
    case $argument in
    --disable-features=*) joined=${joined:+$joined,}${argument#--disable-features=} ;;
    *) set -- "$@" "$argument" ;;
    esac
done
set -- "--disable-features=${joined:+$joined,}$disabled" "$@"
if [ -n "$user" ]; then
    exec setpriv --reuid="$user" --regid="$user" --clear-groups --pdeathsig=KILL "$executable" "$@"
elif setpriv --pdeathsig=KILL true 2>/dev/null; then
    exec setpriv --pdeathsig=KILL "$executable" "$@"
fi
exec "$executable" "$@"
