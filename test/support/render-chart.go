package main

import (
	"bytes"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

// Renders the chart in a folder with the values of a JSON file, by the engine that Helm uses:
// text/template with the functions of sprig, and toYaml.
func main() {
	text, err := ioutil.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	values := map[string]interface{}{}
	if err := yaml.Unmarshal(text, &values); err != nil {
		panic(err)
	}
	release := map[string]interface{}{"Name": "treasury"}
	given := map[string]interface{}{"Values": values, "Release": release}
	funcs := sprig.TxtFuncMap()
	funcs["toYaml"] = func(v interface{}) string {
		data, err := yaml.Marshal(v)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(data), "\n")
	}
	files, _ := filepath.Glob(filepath.Join(os.Args[1], "templates", "*.yaml"))
	for _, file := range files {
		body, _ := ioutil.ReadFile(file)
		strict := template.New(file).Option("missingkey=error").Funcs(funcs)
		var out bytes.Buffer
		if err := template.Must(strict.Parse(string(body))).Execute(&out, given); err != nil {
			panic(err)
		}
		fmt.Printf("---\n%s", out.String())
	}
}
