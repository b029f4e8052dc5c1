#!/usr/bin/env bash
# Installs the servers from npm that bench/calls measures beside mcp-bridge into a
# folder, and nothing else:
#
#   bash bench/peers.sh DIR
set -euo pipefail
dir=${1:?usage: bash bench/peers.sh DIR}
mkdir -p "$dir"
npm install --prefix "$dir" --no-audit --no-fund --silent @ivotoby/openapi-mcp-server@1.16.1
