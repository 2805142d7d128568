import { z } from 'zod'

/** Milliseconds that Prometheus has to answer. */
const timeout = 2_000

/** An alert of Prometheus that fires. */
export interface FiringAlert {
  readonly name: string
  /** `critical`, `warning`; empty if the rule has none. */
  readonly severity: string
  readonly summary: string
  /** ISO time. */
  readonly since: string
  /** The page that says what to do; null if the rule names none. */
  readonly runbook: string | null
}

/** https://prometheus.io/docs/prometheus/latest/querying/api/#alerts */
const answer = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        state: z.string(),
        activeAt: z.string(),
        labels: z.record(z.string(), z.string()),
        annotations: z.record(z.string(), z.string()),
      }),
    ),
  }),
})

/**
 * The alerts that fire now.
 *
 * @param url - of Prometheus; undefined if none is configured
 */
export async function readAlerts(
  url: string | undefined,
): Promise<readonly FiringAlert[] | 'unconfigured' | 'unanswered'> {
  if (url === undefined) return 'unconfigured'
  try {
    const response = await fetch(new URL('/api/v1/alerts', url), { signal: AbortSignal.timeout(timeout) })
    const { data } = answer.parse(await response.json())
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ activeAt, labels, annotations }) => ({
        name: labels.alertname ?? 'unnamed',
        severity: labels.severity ?? '',
        summary: annotations.summary ?? annotations.description ?? '',
        since: activeAt,
        runbook: /^https?:/.test(annotations.runbook_url ?? '') ? (annotations.runbook_url ?? null) : null,
      }))
  } catch {
    return 'unanswered'
  }
}
