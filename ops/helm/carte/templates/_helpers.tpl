{{- define "carte.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "carte.selector" -}}
app.kubernetes.io/name: carte
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "carte.labels" -}}
{{ include "carte.selector" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- /* Secrets of each kind of process: a process receives only those that it needs. */ -}}
{{- define "carte.secrets" -}}
database: &database [DATABASE_URL]
storage: &storage [MEDIA_S3_ACCESS_KEY, MEDIA_S3_SECRET_KEY]
migrate: { required: [DATABASE_URL, MIGRATION_DATABASE_URL, ENCRYPTION_KEYS, ADMIN_PASSWORD], optional: [] }
temporal: { required: [], optional: [TEMPORAL_API_KEY] }
media: { required: *storage, optional: [] }
schedules: { required: *database, optional: [TEMPORAL_API_KEY] }
api:
  required: [DATABASE_URL, ENCRYPTION_KEYS, MEDIA_S3_ACCESS_KEY, MEDIA_S3_SECRET_KEY, WEBHOOK_SECRET]
  optional: [OIDC_CLIENT_SECRET, GEOCODER_KEY, NOTIFY_WEBHOOK_URL, TEMPORAL_API_KEY, OTEL_EXPORTER_OTLP_HEADERS]
worker-build:
  required: &worker [DATABASE_URL, ENCRYPTION_KEYS, MEDIA_S3_ACCESS_KEY, MEDIA_S3_SECRET_KEY]
  optional: [NOTIFY_WEBHOOK_URL, TEMPORAL_API_KEY, OTEL_EXPORTER_OTLP_HEADERS]
worker:
  required: *worker
  optional: [NOTIFY_WEBHOOK_URL, NOTIFY_WEBHOOK_SECRET, NOTIFY_SMTP_URL, TEMPORAL_API_KEY, OTEL_EXPORTER_OTLP_HEADERS]
{{- end -}}

{{- /* Expects root, secrets (a key of carte.secrets) and optionally pool. */ -}}
{{- define "carte.env" -}}
- name: NODE_ENV
  value: production
- name: DEMO
  value: 'off'
- name: HOST
  value: 0.0.0.0
- name: OPS_HOST
  value: 0.0.0.0
{{- if .pool }}
- name: DATABASE_POOL
  value: {{ .pool | quote }}
{{- end }}
{{- range $name, $value := .root.Values.config }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- $secrets := index (include "carte.secrets" .root | fromYaml) .secrets }}
{{- $root := .root }}
{{- range $secrets.required }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $root.Values.secrets.existingSecret }}, key: {{ . }} } }
{{- end }}
{{- range $secrets.optional }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $root.Values.secrets.existingSecret }}, key: {{ . }}, optional: true } }
{{- end }}
{{- end -}}

{{- /* Expects root, command, secrets and optionally pool, resources and isServer. */ -}}
{{- define "carte.container" -}}
image: {{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: {{ .command | toJson }}
env:
  {{- include "carte.env" . | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
resources:
  {{- .resources | default (dict "limits" (dict "memory" "512Mi")) | toYaml | nindent 2 }}
{{- with .root.Values.extraVolumeMounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "carte.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.extraVolumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* One process per pod that runs until it is stopped. Expects root, component, replicas and what carte.container needs. */ -}}
{{- define "carte.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "carte.name" .root }}-{{ .component }}
  labels:
    {{- include "carte.labels" . | nindent 4 }}
spec:
  {{- if .replicas }}
  replicas: {{ .replicas }}
  {{- end }}
  # The arithmetic of connections counts each pod twice: one that ends may keep its connections.
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  selector:
    matchLabels:
      {{- include "carte.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "carte.labels" . | nindent 8 }}
      {{- with .root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "carte.pod" .root | nindent 6 }}
      # SHUTDOWN_DRAIN and SHUTDOWN_GRACE fit in.
      terminationGracePeriodSeconds: 45
      containers:
        - name: {{ .component }}
          {{- include "carte.container" . | nindent 10 }}
          ports:
            {{- if eq .component "api" }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            - { name: ops, containerPort: 9464 }
          startupProbe:
            httpGet: { path: /health/live, port: ops }
            periodSeconds: 3
            failureThreshold: 40
          livenessProbe:
            httpGet: { path: /health/live, port: ops }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: ops }
            periodSeconds: 5
            timeoutSeconds: 3
{{- end -}}

{{- define "carte.disruption" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "carte.name" .root }}-{{ .component }}
  labels:
    {{- include "carte.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "carte.selector" . | nindent 6 }}
{{- end -}}

{{- /* Connections of all processes during a rolling update, with two of each of two commands. */ -}}
{{- define "carte.connections" -}}
{{- $api := .Values.api }}
{{- $pods := $api.replicas }}
{{- if $api.autoscaling.enabled }}{{ $pods = max $pods $api.autoscaling.maxReplicas }}{{ end }}
{{- $sum := add 4 (mul $pods 2 $api.pool) }}
{{- range .Values.workers }}{{ $sum = add $sum (mul .replicas 2 .pool) }}{{ end }}
{{- $sum -}}
{{- end -}}
