{{/* The pod of a service. Takes root and service. */}}
{{- define "cairn.pod" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $values := $root.Values -}}
{{- $settings := get $values.services $service -}}
{{- $folders := include "cairn.secretFolders" . | fromYamlArray -}}
metadata:
  labels:
    {{- include "cairn.labels" . | nindent 4 }}
    {{- with $settings.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with merge (deepCopy $settings.podAnnotations) $values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "cairn.podCommon" $root | nindent 2 }}
  serviceAccountName: {{ include "cairn.serviceAccountName" $root }}
  terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
  {{- with $settings.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $settings.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $settings.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    {{- $spread := $settings.spread }}
    {{- if kindIs "invalid" $spread }}
    {{- $zone := dict "topologyKey" "topology.kubernetes.io/zone" "maxSkew" 1 "whenUnsatisfiable" "ScheduleAnyway" }}
    {{- $node := dict "topologyKey" "kubernetes.io/hostname" "maxSkew" 1 "whenUnsatisfiable" "ScheduleAnyway" }}
    {{- $spread = list $zone $node }}
    {{- end }}
    {{- range $spread }}
    - labelSelector:
        matchLabels:
          {{- include "cairn.selectorLabels" (list $root $service) | nindent 10 }}
      {{- toYaml . | nindent 6 }}
    {{- else }}
    []
    {{- end }}
  containers:
    - name: {{ $service }}
      image: {{ include "cairn.image" . | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      # What provision wrote is read from a file, so that no secret is among the container's settings.
      command: [node, --env-file=/run/cairn/service.env, /cairn/main.mjs]
      env:
        {{- if eq $service "gateway" }}
        - name: POD_IP
          valueFrom: { fieldRef: { fieldPath: status.podIP } }
        {{- end }}
        {{- range $name, $value := merge (include "cairn.variables" . | fromYaml) $settings.env }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- range $name, $reference := $settings.secretEnv }}
        - name: {{ $name }}
          valueFrom: { secretKeyRef: { name: {{ $reference.name }}, key: {{ $reference.key }} } }
        {{- end }}
        {{- if and (eq $service "keys") $values.oidc.issuer }}
        - name: CAIRN_OIDC_CLIENT_SECRET
          valueFrom: { secretKeyRef: { name: {{ $values.oidc.existingSecret }}, key: {{ $values.oidc.key }} } }
        {{- end }}
        {{- if and (eq $service "research") $values.webSearch.existingSecret }}
        - name: CAIRN_WEB_SEARCH_KEY
          valueFrom: { secretKeyRef: { name: {{ $values.webSearch.existingSecret }}, key: {{ $values.webSearch.key }} } }
        {{- end }}
      ports:
        - { name: http, containerPort: 8080 }
        - { name: grpc, containerPort: 9090 }
        {{- if and $values.mtls.enabled (ne $service "gateway") }}
        # For probes: the kubelet has no certificate to connect with.
        - { name: health, containerPort: 8081 }
        {{- end }}
        {{- if $values.metrics.enabled }}
        - { name: metrics, containerPort: {{ $values.metrics.port }} }
        {{- end }}
      {{- $health := and $values.mtls.enabled (ne $service "gateway") | ternary "health" "http" }}
      startupProbe:
        httpGet: { path: /healthz, port: {{ $health }} }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 150
      readinessProbe:
        {{- /* The gateway's own /readyz is false while one service is: that must not take away all gateways. */}}
        httpGet: { path: {{ ternary "/healthz" "/readyz" (eq $service "gateway") }}, port: {{ $health }} }
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      # A stalled event loop ends the process by itself after CAIRN_LOOP_STALL_MAX_MS.
      livenessProbe:
        httpGet: { path: /healthz, port: {{ $health }} }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      lifecycle:
        preStop: { sleep: { seconds: {{ $values.drainSeconds }} } }
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      securityContext:
        {{- include "cairn.containerSecurityContext" $root | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- range $folders }}
        - { name: {{ .name }}, mountPath: {{ .path }}, readOnly: true }
        {{- end }}
        {{- if eq $service "gateway" }}
        - { name: state, mountPath: /var/lib/cairn }
        {{- end }}
  volumes:
    {{- include "cairn.temporaryFiles" $root | nindent 4 }}
    {{- range $folders }}
    - name: {{ .name }}
      secret: { secretName: {{ .secret }}, defaultMode: 0440 }
    {{- end }}
    {{- if and (eq $service "gateway") (not $values.gatewayState.persistent) }}
    - name: state
      emptyDir: { sizeLimit: {{ $values.gatewayState.size }} }
    {{- end }}
{{- end }}
