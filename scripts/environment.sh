# Sourced by ./run and ./test: makes .venv with the locked versions, and says plainly what is missing.
#   prepare_environment EXTRAS     e.g. "postgres,s3" or "dev"

say() { printf '%s\n' "$*" >&2; }
die() { say "webvigil: $*"; exit 2; }

find_python() {
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
        [ -n "$candidate" ] || continue
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
        printf '%s\n' "$candidate"
        return 0
    done
    die "Python 3.11 or newer is needed and was not found. Install it, or name one: PYTHON=/path/to/python3 $0"
}

# What the environment was made from; a second call with the same answer has nothing to do.
environment_stamp() {
    "$1" - "$2" pyproject.toml constraints.txt hatch_build.py src/webvigil/document/native/*.[ch] <<'PY'
import hashlib, pathlib, sys
content = b"".join(pathlib.Path(name).read_bytes() for name in sys.argv[2:])
place = str(pathlib.Path.cwd())
print(sys.argv[1], sys.version.split()[0], hashlib.sha256(content + place.encode()).hexdigest())
PY
}

# Tells whether PYTHON asks for another version than the one that .venv has.
is_another_python() {
    [ -n "${PYTHON:-}" ] && [ "$("$1" --version)" != "$(.venv/bin/python --version)" ]
}

make_venv() {
    if [ -x .venv/bin/python ] && .venv/bin/python -c '' >/dev/null 2>&1 && ! is_another_python "$1"; then
        return 0
    fi
    rm -rf .venv
    "$1" -m venv .venv >/dev/null 2>&1 && return 0
    rm -rf .venv
    command -v uv >/dev/null 2>&1 && uv venv --quiet --python "$1" .venv && return 0
    die "$1 cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv"
}

install_product() {
    if command -v uv >/dev/null 2>&1; then
        uv pip install --quiet --python .venv/bin/python --constraint constraints.txt --editable ".[$1]"
    else
        .venv/bin/python -m pip --version >/dev/null 2>&1 || .venv/bin/python -m ensurepip >/dev/null
        PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install -qq --no-compile \
            --constraint constraints.txt --editable ".[$1]"
    fi || die "the installation failed; see the lines above. Is there a network, and room on the disk?"
}

prepare_environment() {
    python=$(find_python) || exit 2
    stamp=$(environment_stamp "$python" "$1") || exit 2
    if [ -x .venv/bin/webvigil ] && [ "$(cat .venv/stamp 2>/dev/null)" = "$stamp" ]; then
        return 0
    fi
    say "Preparing .venv (once; a minute or two)…"
    make_venv "$python"
    install_product "$1"
    printf '%s\n' "$stamp" >.venv/stamp
}
