#!/usr/bin/env bash
# Makes new certificates for the TLS tests. They protect nothing and are valid for a century.
set -euo pipefail
cd "$(dirname "$0")"
days=36500
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days $days \
  -keyout ca-key.pem -out ca.pem -subj "/CN=Trestle test CA"
sign() { # name, subject alternative names
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1-key.pem" -out request.pem -subj "/CN=$1"
  openssl x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days $days -out "$1.pem" \
    -extfile <(printf 'subjectAltName=%s' "$2")
}
sign own-ca 'DNS:localhost,IP:127.0.0.1'
sign wrong-host 'DNS:elsewhere.example'
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days $days \
  -keyout self-signed-key.pem -out self-signed.pem -subj "/CN=self-signed" -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1'
rm -f request.pem ca.srl ca-key.pem
