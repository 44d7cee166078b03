# Copyright the Deimos authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes schemas.json of the definitions of Kubernetes 1.36 (api/openapi-spec/swagger.json) and of the OpenTelemetry operator 0.158
# (config/crd/bases/opentelemetry.io_instrumentations.yaml), both Apache-2.0. Properties that are not declared are refused.
#   yq . opentelemetry.io_instrumentations.yaml >crd.json
#   jq -c --slurpfile crd crd.json -f schemas.jq swagger.json | sed 's/},"io\./},\n"io./g' >schemas.json
def referred: [.. | objects | ."$ref"? | strings | ltrimstr("#/definitions/")];
def closed($all): . as $some | ($some + [$some[] | $all[.] | referred[]] | unique) as $more
  | if $more == $some then . else $more | closed($all) end;
def strict: walk(
  if type == "object" then
    with_entries(select((.key | startswith("x-kubernetes-") | not) and (.key != "description" or (.value | type) != "string")))
    | if .format? == "int-or-string" then {type: ["integer", "string"]} else . end
    | if (.format? | type) == "string" then del(.format) else . end
    | if (.properties? | type) == "object" then .additionalProperties = false else . end
  else . end);
.definitions as $all
| ["apps.v1.Deployment", "core.v1.ConfigMap", "core.v1.Secret", "core.v1.Service", "networking.v1.NetworkPolicy"]
| map("io.k8s.api." + .) | closed($all)
| {definitions: (map({key: ., value: $all[.]}) | from_entries
    | ."io.opentelemetry.v1alpha1.Instrumentation" = ($crd[0].spec.versions[0].schema.openAPIV3Schema
      | .properties.metadata = {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
      | .properties.spec.properties |= del(.apacheHttpd, .dotnet, .go, .nginx, .nodejs, .python)))}
| strict
