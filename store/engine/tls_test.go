package engine

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store/engine/postgrestest"
)

// certificate is a certificate for this computer that vouches for itself, and its key.
func certificate(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tests"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, content []byte) []byte {
		var text bytes.Buffer
		if err := pem.Encode(&text, &pem.Block{Type: kind, Bytes: content}); err != nil {
			t.Fatal(err)
		}
		return text.Bytes()
	}
	return block("CERTIFICATE", der), block("PRIVATE KEY", secret)
}

// TestTLSIsAsTheAddressSays has a server prove who it is by a certificate.
func TestTLSIsAsTheAddressSays(t *testing.T) {
	needs.Long(t)
	cert, key := certificate(t)
	other, _ := certificate(t)
	server := postgrestest.New(t, map[string][]byte{"server.crt": cert, "server.key": key},
		"ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key")
	database := server.Database(t, "")
	right, wrong := filepath.Join(t.TempDir(), "right.crt"), filepath.Join(t.TempDir(), "wrong.crt")
	for name, content := range map[string][]byte{right: cert, wrong: other} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for said, secure := range map[string]string{
		"sslmode=disable": "false", "sslmode=require": "true", "sslmode=verify-full&sslrootcert=" + right: "true",
		"sslmode=verify-full&sslrootcert=" + wrong: "", "sslmode=verify-full": "",
	} {
		db, err := newServer(t.Context(), server.Address(database, said), Options{}, false)
		if secure == "" {
			if err == nil || !strings.Contains(err.Error(), "certificate") || Unreached(err) {
				t.Errorf("%s: %v", said, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		got := asked(t, db, `SELECT CASE WHEN ssl THEN 'true' ELSE 'false' END FROM pg_stat_ssl WHERE pid = pg_backend_pid()`)
		if got != `"`+secure+`"` {
			t.Errorf("%s: TLS is %s", said, got)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A server that has no TLS, or not the database, has answered: it is not waited for.
func TestAServerThatRefusesIsReached(t *testing.T) {
	server := postgrestest.Need(t)
	for said, address := range map[string]string{
		"refused TLS":    server.Address(server.Database(t, ""), "sslmode=require"),
		"does not exist": server.Address("none-such"),
	} {
		_, err := newServer(t.Context(), address, Options{}, false)
		if err == nil || Unreached(err) || !strings.Contains(err.Error(), "cannot be opened: ") ||
			!strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
