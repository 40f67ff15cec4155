package check

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// compose holds the content of one of our compose files. Any other field in the file is an error.
type compose struct {
	Knobel   service `json:"x-knobel"`
	Services map[string]service
	Networks map[string]struct {
		IPAM struct {
			Config []struct{ Subnet string }
		}
	}
	Secrets map[string]struct{ File string }
	Volumes map[string]any
}

type service struct {
	Profiles        []string
	Build           string
	Image           string
	Restart         string
	User            string
	ReadOnly        bool     `json:"read_only"`
	CapDrop         []string `json:"cap_drop"`
	SecurityOpt     []string `json:"security_opt"`
	Healthcheck     healthcheck
	MemLimit        string `json:"mem_limit"`
	ShmSize         string `json:"shm_size"`
	StopGracePeriod string `json:"stop_grace_period"`
	Command         []string
	DependsOn       any `json:"depends_on"`
	Networks        map[string]attached
	Ports           []string
	Environment     map[string]string
	Secrets         []string
	Tmpfs           []string
	Volumes         []string
}

type attached struct {
	Address string `json:"ipv4_address"`
}

type healthcheck struct {
	Test        []string
	Interval    string
	Timeout     string
	StartPeriod string `json:"start_period"`
}

func composed(t *testing.T, file string) (c compose) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(document(t, file)), &c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

// Each service of each compose file has minimal rights, and reads only declared secrets.
func TestServicesAreBare(t *testing.T) {
	for file, least := range map[string]int{"../compose.yaml": 2, "../replicas.yaml": 4} {
		c := composed(t, file)
		if len(c.Services) < least {
			t.Errorf("%s has %d services", file, len(c.Services))
		}
		for name, s := range c.Services {
			if user, _, _ := strings.Cut(s.User, ":"); !s.ReadOnly || user == "" || user == "0" ||
				!slices.Equal(s.CapDrop, []string{"ALL"}) ||
				!slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
				t.Errorf("%s: %s may do more than it needs: %+v", file, name, s)
			}
			for _, secret := range s.Secrets {
				if c.Secrets[secret].File == "" {
					t.Errorf("%s: %s reads the secret %s, which no file holds", file, name, secret)
				}
			}
			for variable, value := range s.Environment {
				held, is := strings.CutPrefix(value, "/run/secrets/")
				if is != strings.HasSuffix(variable, "_FILE") || is && !slices.Contains(s.Secrets, held) {
					t.Errorf("%s: %s has %s=%s", file, name, variable, value)
				}
			}
		}
	}
}

// The replicas have equal settings, no database file, and the addresses that nginx.conf contains.
func TestReplicasShareWhatTheyNeed(t *testing.T) {
	c := composed(t, "../replicas.yaml")
	replicas, addresses := 0, map[string]bool{}
	nginx := document(t, "../nginx.conf")
	for name, s := range c.Services {
		if len(s.Healthcheck.Test) < 2 || s.StopGracePeriod == "" || s.Restart != "unless-stopped" || s.MemLimit == "" {
			t.Errorf("%s is not looked after: %+v", name, s)
		}
		at := s.Networks["inner"].Address
		if addresses[at] || !strings.HasPrefix(at, "172.30.77.") || len(s.Networks) != 1 {
			t.Errorf("%s is in the networks %v", name, s.Networks)
		}
		addresses[at] = true
		if (len(s.Ports) > 0) != (name == "proxy") {
			t.Errorf("%s has the ports %q", name, s.Ports)
		}
		if s.Image != "knobel" {
			continue
		}
		replicas++
		if !strings.Contains(nginx, "server "+at+":8080 ") {
			t.Errorf("nginx does not lead to %s at %s", name, at)
		}
		if db, said := s.Environment["KNOBEL_DB"]; db != "" || !said || s.Environment["KNOBEL_DB_FILE"] == "" {
			t.Errorf("%s takes the file that the image names", name)
		}
		if len(s.Volumes) > 0 || !maps.Equal(s.Environment, c.Knobel.Environment) {
			t.Errorf("%s is unlike the others: %+v", name, s)
		}
		if s.Environment["KNOBEL_PROXIES"] != c.Services["proxy"].Networks["inner"].Address {
			t.Errorf("%s believes the proxies %s", name, s.Environment["KNOBEL_PROXIES"])
		}
	}
	if led := strings.Count(nginx, ":8080 max_fails"); replicas != 2 || led != replicas {
		t.Errorf("nginx leads to %d, there are %d replicas", led, replicas)
	}
	for _, line := range []string{"proxy_buffering off;", "proxy_next_upstream error timeout http_503;",
		"    proxy_read_timeout 10s;", "location ~ /events$ {", "error_log /dev/stderr emerg;"} {
		if !strings.Contains(nginx, line) {
			t.Errorf("nginx.conf does not say %s", line)
		}
	}
}
