#!/usr/bin/env bash
# Makes everything that sightread needs, and does nothing where it is already there: .venv with the pinned packages (bytecode compiled)
# and the project itself, a Chromium, and fonts for the scripts that it reads. Needs root only to install a browser from the distribution.
#   PYTHON             interpreter to use, 3.11 or later (default: the first that fits)
#   SIGHTREAD_BROWSER  Chromium to use (default: see `find_browser` in render/browser/launch.py)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

venv=$PWD/.venv
stamp=$venv/.setup-stamp
scripts="zh bn ar hi" # languages whose scripts need a font: Chinese, Bengali, Arabic, Devanagari
log=$(mktemp)
trap 'rm -f "$log"' EXIT

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
can_apt() { [ "$(id -u)" = 0 ] && has apt-get; }

apt_install() { # package...
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2015
    apt-get -qq update && apt-get -qq install --yes --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}

# ---- Python ----

suits() { "$1" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if suits "$candidate"; then echo "$candidate" && return; fi
    done
    return 1
}

fingerprint() { # what the environment is made from: a change of any makes it anew
    { cat requirements.lock pyproject.toml && echo "$venv" && "$1" -V; } | cksum
}

install_packages() {
    local python=$1
    "$venv/bin/python" -c '' 2>/dev/null || "$python" -m venv --clear "$venv"
    # pip, not a faster installer: it honours the indexes and certificates that this machine's pip is configured for.
    "$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --no-input --no-deps --require-hashes -r requirements.lock
    "$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation --editable .
}

# ---- browser and fonts ----

has_browser() {
    [ -n "${SIGHTREAD_BROWSER:-}" ] && return
    has chromium-headless-shell || has chromium || has google-chrome || has chromium-browser || has_playwrights_own
}

has_playwrights_own() {
    compgen -G "${PLAYWRIGHT_BROWSERS_PATH:-${XDG_CACHE_HOME:-$HOME/.cache}/ms-playwright}/chromium*/*/*" >/dev/null ||
        compgen -G "$HOME/Library/Caches/ms-playwright/chromium*/*/*" >/dev/null
}

missing_fonts() { # prints the languages that no font covers
    [ "$(uname)" = Linux ] || return 0
    for script in $scripts; do
        has fc-list && [ -n "$(fc-list ":lang=$script" family 2>/dev/null | head -n 1)" ] || printf '%s ' "$script"
    done
}

distribution_browser() { # prints the package; Ubuntu's chromium is a stub that needs snap
    local package candidate
    for package in chromium-headless-shell chromium; do
        candidate=$(apt-cache policy "$package" 2>/dev/null | sed -n 's/^ *Candidate: //p')
        case $candidate in '' | '(none)' | *snap*) ;; *) echo "$package" && return ;; esac
    done
}

install_system() { # browser and fonts from the distribution, in one go
    local packages=()
    apt-get -qq update
    if ! has_browser; then packages+=($(distribution_browser)); fi
    if [ -n "$(missing_fonts)" ]; then packages+=(fontconfig fonts-noto-core fonts-noto-cjk); fi
    if [ ${#packages[@]} -gt 0 ]; then apt_install "${packages[@]}"; fi
}

# ---- the whole ----

needs_system() { ! has_browser || [ -n "$(missing_fonts)" ]; }

python=$(find_python) || {
    can_apt || die "no Python 3.11 or later with venv: install python3 and python3-venv, or name one in PYTHON"
    say "installing Python"
    apt_install python3 python3-venv >"$log" 2>&1 </dev/null || { cat "$log" >&2 && die "the distribution's Python did not install"; }
    python=$(find_python) || die "the distribution's Python is older than 3.11: install a later one and name it in PYTHON"
}

system=
if needs_system && can_apt; then
    say "installing a browser and fonts"
    install_system >"$log" 2>&1 </dev/null &
    system=$!
fi

if [ "$(cat "$stamp" 2>/dev/null)" != "$(fingerprint "$python")" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    say "installing packages in .venv"
    rm -f "$stamp"
    install_packages "$python" </dev/null || die "the packages did not install: see above"
    fingerprint "$python" >"$stamp"
fi

if [ -n "$system" ] && ! wait "$system"; then
    tail -n 20 "$log" >&2
    say "the distribution's packages did not install: see above"
fi
if ! has_browser; then
    say "installing Playwright's browser"
    "$venv/bin/playwright" install $(can_apt && echo --with-deps) chromium-headless-shell >"$log" 2>&1 </dev/null || {
        tail -n 5 "$log" >&2
        die "no browser: install chromium or chromium-headless-shell, or name one in SIGHTREAD_BROWSER"
    }
fi
if [ -n "$(missing_fonts)" ]; then
    say "no fonts for: $(missing_fonts): install fonts-noto-core and fonts-noto-cjk (and fontconfig), else text in them is measured wrong"
fi
