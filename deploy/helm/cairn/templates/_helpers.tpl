{{- define "cairn.services" -}}
[gateway, keys, tenancy, memory, research, webhooks, usage]
{{- end }}

{{/* Whose gRPC server each service calls: variables CAIRN_<NAME>_GRPC and network policies. */}}
{{- define "cairn.calls" -}}
gateway: [keys, tenancy]
keys: [tenancy]
tenancy: [keys, memory, research, webhooks, usage]
memory: [tenancy]
research: [memory, tenancy, usage]
webhooks: []
usage: [tenancy]
operator: [keys, tenancy, memory, research, webhooks, usage]
{{- end }}

{{- define "cairn.fullname" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{/* Takes a list: the root context and the component. */}}
{{- define "cairn.name" -}}
{{- printf "%s-%s" (include "cairn.fullname" (index . 0)) (index . 1) }}
{{- end }}

{{- define "cairn.selectorLabels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: cairn
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "cairn.labels" -}}
{{- $root := index . 0 -}}
{{ include "cairn.selectorLabels" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: cairn
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Name, labels and annotations of an object. Takes root, component and, optionally, a name and further annotations. */}}
{{- define "cairn.metadata" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $name := include "cairn.name" (list $root $component) -}}
{{- if gt (len .) 2 }}{{ $name = index . 2 }}{{ end -}}
{{- $annotations := deepCopy $root.Values.commonAnnotations -}}
{{- if gt (len .) 3 }}{{ $annotations = merge (deepCopy (index . 3)) $annotations }}{{ end -}}
{{- $labels := dict -}}
{{- if gt (len .) 4 }}{{ $labels = index . 4 }}{{ end -}}
name: {{ $name }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "cairn.labels" (list $root $component) | nindent 2 }}
  {{- with $labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "cairn.image" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $image := $root.Values.image -}}
{{- with get $image.digests $name -}}
{{ $image.prefix }}{{ $name }}@{{ . }}
{{- else -}}
{{ $image.prefix }}{{ $name }}:{{ $image.tag | default $root.Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "cairn.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "cairn.fullname" .) }}
{{- else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "cairn.host" -}}
{{- (urlParse .Values.baseUrl).host | splitList ":" | first }}
{{- end }}

{{/* Hostnames that callers use. */}}
{{- define "cairn.hosts" -}}
- {{ include "cairn.host" . | quote }}
{{- with .Values.memoryDomain }}
- {{ printf "*.%s" . | quote }}
{{- end }}
{{- end }}

{{- define "cairn.trustedProxies" -}}
{{- if kindIs "invalid" .Values.trustedProxies }}{{ or .Values.ingress.enabled .Values.httpRoute.enabled | ternary 1 0 }}
{{- else }}{{ .Values.trustedProxies | int }}{{ end }}
{{- end }}

{{- define "cairn.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* What every pod has in common. */}}
{{- define "cairn.podCommon" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- end }}

{{- define "cairn.temporaryFiles" -}}
- name: tmp
  emptyDir: { sizeLimit: {{ .Values.temporaryFiles.sizeLimit }} }
{{- end }}

{{/* Services that send requests to the outside; keys only to an identity provider. */}}
{{- define "cairn.outboundServices" -}}
[memory, research, webhooks{{ if .Values.oidc.issuer }}, keys{{ end }}]
{{- end }}

{{/* Variables of a service as a map. Secrets are in the service's own file. */}}
{{- define "cairn.variables" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $values := $root.Values -}}
{{- $any := ternary "[::]" "0.0.0.0" $values.ipv6 -}}
CAIRN_HTTP_LISTEN: {{ printf "%s:8080" $any | quote }}
CAIRN_GRPC_LISTEN: {{ printf "%s:9090" $any | quote }}
CAIRN_LOG_LEVEL: {{ $values.logLevel }}
{{- range get (include "cairn.calls" $root | fromYaml) $service }}
CAIRN_{{ upper . }}_GRPC: dns:///{{ include "cairn.name" (list $root .) }}-grpc:9090
{{- end }}
{{- if has $service (list "gateway" "keys" "tenancy" "research") }}
CAIRN_BASE_URL: {{ $values.baseUrl | quote }}
{{- end }}
{{- if eq $service "gateway" }}
{{- range without (include "cairn.services" $root | fromYamlArray) "gateway" }}
CAIRN_{{ upper . }}_HTTP: {{ ternary "https" "http" $values.mtls.enabled }}://{{ include "cairn.name" (list $root .) }}-grpc:8080
{{- end }}
CAIRN_GATEWAY_ADDRESS: {{ ternary "[$(POD_IP)]:9090" "$(POD_IP):9090" $values.ipv6 | quote }}
CAIRN_STATE_DIR: /var/lib/cairn
CAIRN_TRUSTED_PROXIES: {{ include "cairn.trustedProxies" $root | quote }}
{{- with $values.memoryDomain }}
CAIRN_MEMORY_DOMAIN: {{ . }}
{{- end }}
{{- end }}
{{- if and (eq $service "keys") $values.oidc.issuer }}
CAIRN_OIDC_ISSUER: {{ $values.oidc.issuer | quote }}
CAIRN_OIDC_CLIENT_ID: {{ $values.oidc.clientId | quote }}
{{- with $values.oidc.name }}
CAIRN_OIDC_NAME: {{ . | quote }}
{{- end }}
{{- with $values.oidc.emailDomains }}
CAIRN_OIDC_EMAIL_DOMAINS: {{ . | quote }}
{{- end }}
{{- end }}
{{- if eq $service "memory" }}
CAIRN_INGEST_THREADS: {{ $values.services.memory.workers | quote }}
{{- end }}
{{- if eq $service "research" }}
CAIRN_RESEARCH_WORKERS: {{ $values.services.research.workers | quote }}
{{- with $values.webSearch }}
{{- if .engine }}
CAIRN_WEB_SEARCH: {{ .engine }}
{{- end }}
{{- if .url }}
CAIRN_WEB_SEARCH_URL: {{ .url | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if has $service (include "cairn.outboundServices" $root | fromYamlArray) }}
{{- with $values.outbound }}
{{- if .proxy }}
CAIRN_OUTBOUND_PROXY: {{ .proxy | quote }}
{{- end }}
{{- if .noProxy }}
CAIRN_OUTBOUND_NO_PROXY: {{ .noProxy | quote }}
{{- end }}
{{- if .certificates.existingSecret }}
CAIRN_OUTBOUND_CA_FILE: /etc/cairn/outbound/{{ .certificates.key }}
{{- end }}
{{- end }}
{{- end }}
{{- if and $values.files.models.existingSecret (has $service (list "memory" "research")) }}
CAIRN_MODELS_FILE: /etc/cairn/models/{{ $values.files.models.key }}
{{- end }}
{{- if and $values.files.plans.existingSecret (eq $service "tenancy") }}
CAIRN_PLANS_FILE: /etc/cairn/plans/{{ $values.files.plans.key }}
{{- end }}
{{- if and $values.files.prices.existingSecret (eq $service "usage") }}
CAIRN_PRICES_FILE: /etc/cairn/prices/{{ $values.files.prices.key }}
{{- end }}
{{- if $values.metrics.enabled }}
CAIRN_METRICS_PORT: {{ $values.metrics.port | quote }}
{{- end }}
{{- if and $values.mtls.enabled (ne $service "gateway") }}
CAIRN_HEALTH_LISTEN: {{ printf "%s:8081" $any | quote }}
{{- end }}
{{- if and $values.mtls.enabled $values.mtls.secretPrefix }}
CAIRN_TLS_CERT_FILE: /run/cairn-tls/tls.crt
CAIRN_TLS_KEY_FILE: /run/cairn-tls/tls.key
CAIRN_TLS_CA_FILE: /run/cairn-tls/ca.crt
{{- end }}
{{- end }}

{{/* Secrets of a service that become files: volume name, secret, folder. */}}
{{- define "cairn.secretFolders" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $values := $root.Values -}}
- { name: installation, secret: {{ (get $values.services $service).existingSecret }}, path: /run/cairn }
{{- with $values.files.authorities.existingSecret }}
- { name: authorities, secret: {{ . }}, path: /etc/cairn/authorities }
{{- end }}
{{- if and $values.files.models.existingSecret (has $service (list "memory" "research")) }}
- { name: models, secret: {{ $values.files.models.existingSecret }}, path: /etc/cairn/models }
{{- end }}
{{- if and $values.files.plans.existingSecret (eq $service "tenancy") }}
- { name: plans, secret: {{ $values.files.plans.existingSecret }}, path: /etc/cairn/plans }
{{- end }}
{{- if and $values.files.prices.existingSecret (eq $service "usage") }}
- { name: prices, secret: {{ $values.files.prices.existingSecret }}, path: /etc/cairn/prices }
{{- end }}
{{- if and $values.outbound.certificates.existingSecret (has $service (include "cairn.outboundServices" $root | fromYamlArray)) }}
- { name: outbound, secret: {{ $values.outbound.certificates.existingSecret }}, path: /etc/cairn/outbound }
{{- end }}
{{- if and $values.mtls.enabled $values.mtls.secretPrefix }}
- { name: mtls, secret: {{ $values.mtls.secretPrefix }}{{ $service }}, path: /run/cairn-tls }
{{- end }}
{{- end }}

{{/* Settings that the schema of the values can't refuse. */}}
{{- define "cairn.validate" -}}
{{- if and .Values.memoryDomain (hasSuffix (printf ".%s" .Values.memoryDomain) (printf ".%s" (include "cairn.host" .))) }}
{{- fail "the host of baseUrl must not be memoryDomain or lie below it: take a domain of its own, such as memories.example.com" }}
{{- end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}
{{- fail "httpRoute.enabled needs httpRoute.parentRefs: the Gateway objects that the route belongs to" }}
{{- end }}
{{- if and .Values.metrics.prometheusRule.enabled (not .Values.metrics.prometheusRule.rules) }}
{{- fail "metrics.prometheusRule.enabled needs the rules: --set-file metrics.prometheusRule.rules=alerts.yaml" }}
{{- end }}
{{- if and .Values.webSearch.engine (ne .Values.webSearch.engine "searxng") (not .Values.webSearch.existingSecret) }}
{{- fail (printf "webSearch.engine %s needs webSearch.existingSecret with its API key" .Values.webSearch.engine) }}
{{- end }}
{{- if and .Values.oidc.issuer (not (and .Values.oidc.clientId .Values.oidc.existingSecret)) }}
{{- fail "oidc.issuer needs oidc.clientId, and oidc.existingSecret with the client secret" }}
{{- end }}
{{- if and (eq .Values.webSearch.engine "searxng") (not .Values.webSearch.url) }}
{{- fail "webSearch.engine searxng needs webSearch.url" }}
{{- end }}
{{- if hasKey .Values.services.gateway.env "CAIRN_GATEWAY_PROCESSES" }}
{{- fail "services.gateway.env: CAIRN_GATEWAY_PROCESSES is for servers with many cores; here, take more replicas" }}
{{- end }}
{{- range $service, $settings := .Values.services }}
{{- range $name := keys (include "cairn.variables" (list $ $service) | fromYaml) }}
{{- if or (hasKey $settings.env $name) (hasKey $settings.secretEnv $name) }}
{{- fail (printf "services.%s: %s is set by the chart, from other values" $service $name) }}
{{- end }}
{{- end }}
{{- if and $settings.autoscaling.enabled (gt (int $settings.autoscaling.minReplicas) (int $settings.autoscaling.maxReplicas)) }}
{{- fail (printf "services.%s.autoscaling: minReplicas is above maxReplicas" $service) }}
{{- end }}
{{- end }}
{{- if le (int .Values.terminationGracePeriodSeconds) (add (int .Values.drainSeconds) 10) }}
{{- fail "terminationGracePeriodSeconds must be more than drainSeconds plus the ten seconds that closing may take" }}
{{- end }}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.gatewayFrom) }}
{{- fail "networkPolicy.gatewayFrom is empty, so that nobody could reach the gateway: name your ingress controller, or everybody by ipBlock 0.0.0.0/0 and ::/0" }}
{{- end }}
{{- end }}

{{/* An egress rule to peers on ports; without peers to everywhere on them. */}}
{{- define "cairn.egressTo" -}}
- ports:
    {{- range .ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* A job before installing and upgrading. Takes root, component, weight, the arguments of node and the volumes' values. */}}
{{- define "cairn.hookJob" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $settings := get $root.Values (ternary "migrations" "streams" (eq $component "migrate")) -}}
{{- $hook := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" (index . 2 | toString) "helm.sh/hook-delete-policy" "before-hook-creation" -}}
{{- $models := and (eq $component "migrate") $root.Values.files.models.existingSecret -}}
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "cairn.metadata" (list $root $component (include "cairn.name" (list $root $component)) $hook) | nindent 2 }}
spec:
  backoffLimit: 3
  activeDeadlineSeconds: {{ $settings.activeDeadlineSeconds }}
  template:
    metadata:
      labels:
        {{- include "cairn.labels" (list $root $component) | nindent 8 }}
    spec:
      {{- include "cairn.podCommon" $root | nindent 6 }}
      restartPolicy: Never
      containers:
        - name: {{ $component }}
          image: {{ include "cairn.image" (list $root "cairn") | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command: {{ index . 3 | toJson }}
          env:
            - { name: CAIRN_DATA_DIR, value: /tmp/cairn }
            {{- if $models }}
            # The vector index depends on the embedding model.
            - { name: CAIRN_MODELS_FILE, value: /etc/cairn/models/{{ $root.Values.files.models.key }} }
            {{- end }}
          resources:
            {{- toYaml $settings.resources | nindent 12 }}
          securityContext:
            {{- include "cairn.containerSecurityContext" $root | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            - { name: installation, mountPath: /run/cairn, readOnly: true }
            {{- if $models }}
            - { name: models, mountPath: /etc/cairn/models, readOnly: true }
            {{- end }}
            {{- if $root.Values.files.authorities.existingSecret }}
            - { name: authorities, mountPath: /etc/cairn/authorities, readOnly: true }
            {{- end }}
      volumes:
        {{- include "cairn.temporaryFiles" $root | nindent 8 }}
        - name: installation
          secret: { secretName: {{ $settings.existingSecret }}, defaultMode: 0440 }
        {{- if $models }}
        - name: models
          secret: { secretName: {{ $root.Values.files.models.existingSecret }}, defaultMode: 0440 }
        {{- end }}
        {{- with $root.Values.files.authorities.existingSecret }}
        - name: authorities
          secret: { secretName: {{ . }}, defaultMode: 0440 }
        {{- end }}
{{- end }}
