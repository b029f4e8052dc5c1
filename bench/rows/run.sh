#!/usr/bin/env bash
# Installs the servers that package-lock.json pins into a folder, without running
# any script of theirs, and measures them beside mcp-bridge (linux-x64 only):
#
#   bash bench/rows/run.sh DIR [FLAG...]
set -euo pipefail
dir=$(realpath -m "${1:?usage: bash bench/rows/run.sh DIR [FLAG...]}")
shift
cd "$(dirname "$0")"
mkdir -p "$dir"
cp package.json package-lock.json "$dir"
npm ci --prefix "$dir" --ignore-scripts --no-audit --no-fund --silent
exec go test . -run '^$' -bench Rows -benchtime 1x -peers "$dir" "$@"
