package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// manifests holds the manifests in deploy/kubernetes. A field that Kubernetes does not know is an error.
type manifests struct {
	deployment apps.Deployment
	service    core.Service
	disruption policy.PodDisruptionBudget
	secret     core.Secret
	access     network.NetworkPolicy
}

func read(t *testing.T) (all manifests) {
	t.Helper()
	files, err := filepath.Glob("../kubernetes/*.yaml")
	if err != nil || len(files) != 2 {
		t.Fatalf("found %v: %v", files, err)
	}
	seen := map[string]int{}
	for _, file := range files {
		for _, part := range strings.Split(document(t, file), "\n---\n") {
			var kind struct{ APIVersion, Kind string }
			if err := yaml.Unmarshal([]byte(part), &kind); err != nil {
				t.Fatal(err)
			}
			into, ok := map[string]any{
				"apps/v1 Deployment": &all.deployment, "v1 Service": &all.service, "v1 Secret": &all.secret,
				"policy/v1 PodDisruptionBudget": &all.disruption, "networking.k8s.io/v1 NetworkPolicy": &all.access,
			}[kind.APIVersion+" "+kind.Kind]
			if !ok {
				t.Fatalf("%s holds %+v", file, kind)
			}
			if err := yaml.UnmarshalStrict([]byte(part), into); err != nil {
				t.Errorf("%s: %s: %v", file, kind.Kind, err)
			}
			seen[kind.Kind]++
		}
	}
	if len(seen) != 5 {
		t.Fatalf("found %v", seen)
	}
	return all
}

func document(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A misspelled field is an error.
func TestWhatKubernetesDoesNotKnowIsFound(t *testing.T) {
	text := strings.Replace(document(t, "../kubernetes/knobel.yaml"), "maxUnavailable", "maxUnavaliable", 1)
	first, _, _ := strings.Cut(text, "\n---\n")
	if err := yaml.UnmarshalStrict([]byte(first), &apps.Deployment{}); err == nil {
		t.Error("maxUnavaliable is taken")
	}
}

// Two replicas serve even during an upgrade, and at least one while nodes are drained.
func TestReplicasGoOneAfterTheOther(t *testing.T) {
	all := read(t)
	d := all.deployment.Spec
	rolling := d.Strategy.RollingUpdate
	if d.Replicas == nil || *d.Replicas != 2 || d.Strategy.Type != apps.RollingUpdateDeploymentStrategyType ||
		rolling == nil || rolling.MaxUnavailable.IntValue() != 0 || rolling.MaxSurge.IntValue() != 1 {
		t.Errorf("%v replicas, %+v", d.Replicas, d.Strategy)
	}
	if least := all.disruption.Spec.MinAvailable; least == nil || least.IntValue() != 1 {
		t.Errorf("%v stay", least)
	}
	labels := d.Template.Labels
	for what, chosen := range map[string]map[string]string{
		"the deployment": d.Selector.MatchLabels, "the service": all.service.Spec.Selector,
		"the budget": all.disruption.Spec.Selector.MatchLabels, "the policy": all.access.Spec.PodSelector.MatchLabels,
	} {
		for name, value := range chosen {
			if labels[name] != value {
				t.Errorf("%s chooses %s=%s, which no pod has", what, name, value)
			}
		}
		if len(chosen) == 0 {
			t.Errorf("%s chooses nothing", what)
		}
	}
	if grace := d.Template.Spec.TerminationGracePeriodSeconds; grace == nil || *grace < 15 {
		t.Errorf("a replica has %v s to end", grace)
	}
}

// The probes and the service use the port of the container, and the probes request paths that exist.
func TestProbesAskWhatIsServed(t *testing.T) {
	all := read(t)
	containers := all.deployment.Spec.Template.Spec.Containers
	if len(containers) != 1 {
		t.Fatalf("%d containers", len(containers))
	}
	c := containers[0]
	for path, probe := range map[string]*core.Probe{
		"/healthz?database=off": c.LivenessProbe, "/readyz?platforms=off": c.ReadinessProbe,
	} {
		if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != path ||
			probe.HTTPGet.Port.StrVal != c.Ports[0].Name {
			t.Errorf("%s: %+v", path, probe)
		}
	}
	if s := c.StartupProbe; s == nil || s.HTTPGet == nil || s.HTTPGet.Path != c.LivenessProbe.HTTPGet.Path {
		t.Errorf("the start: %+v", s)
	}
	if ports := all.service.Spec.Ports; len(ports) != 1 || ports[0].TargetPort.StrVal != c.Ports[0].Name {
		t.Errorf("the service leads to %+v", ports)
	}
	if c.SecurityContext == nil || c.SecurityContext.ReadOnlyRootFilesystem == nil ||
		!*c.SecurityContext.ReadOnlyRootFilesystem || c.Lifecycle != nil {
		t.Errorf("the container: %+v %+v", c.SecurityContext, c.Lifecycle)
	}
}

// Secrets come only from files of the Kubernetes secret, and its example contains placeholders only.
func TestSecretsComeByFiles(t *testing.T) {
	all := read(t)
	pod := all.deployment.Spec.Template.Spec
	if len(pod.Volumes) != 1 || pod.Volumes[0].Secret == nil || pod.Volumes[0].Secret.SecretName != all.secret.Name {
		t.Fatalf("volumes: %+v", pod.Volumes)
	}
	mount := pod.Containers[0].VolumeMounts
	if len(mount) != 1 || mount[0].Name != pod.Volumes[0].Name || !mount[0].ReadOnly {
		t.Fatalf("mounts: %+v", mount)
	}
	var used []string
	for _, e := range pod.Containers[0].Env {
		if strings.HasSuffix(e.Name, "_FILE") {
			file, ok := strings.CutPrefix(e.Value, mount[0].MountPath+"/")
			if _, there := all.secret.StringData[file]; !ok || !there {
				t.Errorf("%s names %s, which the secret does not hold", e.Name, e.Value)
			}
			used = append(used, file)
		} else if e.ValueFrom != nil || strings.Contains(e.Name, "TOKEN") || strings.Contains(e.Name, "SECRET") {
			t.Errorf("%s comes by the environment", e.Name)
		}
	}
	for name, value := range all.secret.StringData {
		if !slices.Contains(used, name) || !strings.HasPrefix(value, "<") || !strings.HasSuffix(value, ">") {
			t.Errorf("the secret's %s is %q", name, value)
		}
	}
	if db := pod.Containers[0].Env[0]; db.Name != "KNOBEL_DB" || db.Value != "" {
		t.Errorf("%+v hides KNOBEL_DB_FILE", db)
	}
}
