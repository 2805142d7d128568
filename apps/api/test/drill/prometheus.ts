import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const monitoring = fileURLToPath(new URL('../../../../deploy/monitoring/', import.meta.url))

/** Debian's package `prometheus` has both programs. */
export const hasPrometheus = spawnSync('prometheus', ['--version']).error === undefined

/** Seconds between two readings, and between two evaluations. */
const interval = 1

interface Alert {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

export interface Prometheus extends AsyncDisposable {
  readonly url: string
  /** Alerts that fire now, in the order of their names. */
  firing(): Promise<readonly Alert[]>
  /**
   * Waits until the alert fires.
   *
   * @param since - Unix seconds of its cause
   * @returns the number of evaluations of the rules from the cause to the first one that found it firing
   */
  evaluationsUntil(name: string, since: number): Promise<number>
  /** Waits until the alert does not fire. */
  untilSilent(name: string): Promise<void>
  /** Waits for so many evaluations from now. */
  evaluate(count: number): Promise<void>
  /** Waits until every target answered its last reading. */
  ready(): Promise<void>
}

/**
 * Starts Prometheus with the shipped rules. Its intervals, and every duration in the rules, are shorter than the shipped ones by
 * one factor, so that the same number of evaluations passes.
 *
 * @param jobs - addresses to read, by name of the job in `prometheus.yaml`
 * @param scrapeInterval - seconds. An answer that takes longer is lost, and its series with it: on a busy machine a second is
 * too little for alerts on what lasts.
 */
export async function startPrometheus(
  port: number,
  jobs: Readonly<Record<string, string>>,
  scrapeInterval = interval,
): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-prometheus-'))
  const shipped = await readFile(join(monitoring, 'prometheus.yaml'), 'utf8')
  const faster = seconds(/evaluation_interval: (\w+)/.exec(shipped)?.[1])
  const rules = await readFile(join(monitoring, 'alerts.yaml'), 'utf8')
  const shorter = (time: string) => `${(seconds(time) * 1000) / faster}ms`
  await writeFile(
    join(directory, 'alerts.yaml'),
    rules
      .replaceAll(/^( +for: )(\w+)$/gm, (_, name, time) => name + shorter(time))
      .replaceAll(/\[(\w+)\]/g, (_, time) => `[${shorter(time)}]`)
      .replaceAll(/ offset (\w+)/g, (_, time) => ` offset ${shorter(time)}`)
      .replaceAll(/time\(\) - (\d+)/g, (_, time) => `time() - ${Number(time) / faster}`),
  )
  await writeFile(
    join(directory, 'prometheus.yaml'),
    JSON.stringify({
      global: { scrape_interval: `${scrapeInterval}s`, evaluation_interval: `${interval}s` },
      rule_files: ['alerts.yaml'],
      scrape_configs: Object.entries(jobs).map(([job_name, target]) => ({
        job_name,
        static_configs: [{ targets: [target] }],
      })),
    }),
  )
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const url = `http://127.0.0.1:${port}`

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(`${url}/api/v1/${path}`)
    const { data } = (await response.json()) as { data: T } // Prometheus' HTTP API
    return data
  }
  const query = (text: string) =>
    ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
      `query?query=${encodeURIComponent(text)}`,
    ).then(({ result }) => result)

  async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`Prometheus ended before ${what}:\n${log}`)
      const found = await read()
      if (found !== undefined) return found
      await delay(200)
    }
  }

  await until('it was ready', () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  )
  async function firing(): Promise<readonly Alert[]> {
    const { alerts } = await ask<{ alerts: { state: string; labels: Record<string, string> }[] }>('alerts')
    return alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => ({ name: labels.alertname ?? '', labels }))
      .toSorted((a, b) => a.name.localeCompare(b.name))
  }
  return {
    url,
    firing,
    async untilSilent(name) {
      await until(`${name} was silent`, async () =>
        (await firing()).some((alert) => alert.name === name) ? undefined : true,
      )
    },
    async evaluate(count) {
      const end = Date.now() + count * interval * 1000
      await until('the rules were evaluated', async () => {
        const { groups } = await ask<{ groups: { lastEvaluation: string }[] }>('rules')
        return groups.every(({ lastEvaluation }) => Date.parse(lastEvaluation) >= end) || undefined
      })
    },
    async evaluationsUntil(name, since) {
      const series = `ALERTS{alertname="${name}",alertstate="firing"}`
      // Rules write their samples at the time of their evaluation, which no query has to hit.
      const first = await until(`${name} fired`, async () => {
        const [found] = await query(`timestamp(${series})`)
        const age = Math.ceil(Date.now() / 1000 - since) + 1
        return found && firstSample(await query(`${series}[${age}s]`), since)
      })
      return Math.ceil((first - since) / interval)
    },
    async ready() {
      const count = Object.keys(jobs).length
      await until('every target answered', async () => {
        const up = await query('up == 1')
        return up.length === count || undefined
      })
    },
    async [Symbol.asyncDispose]() {
      await end(child)
      await rm(directory, { recursive: true })
    },
  }
}

/** The time of the earliest sample of a range, Unix seconds. */
function firstSample(samples: readonly unknown[], since: number): number | undefined {
  const times = samples.flatMap((one) => (one as { values?: [number, string][] }).values ?? []) // of a range
  const after = times.map(([time]) => time).filter((time) => time >= since)
  return after.length === 0 ? undefined : Math.min(...after)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** A duration of Prometheus of one unit. */
function seconds(text = ''): number {
  const [, amount = '', unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const factor = new Map([
    ['s', 1],
    ['m', 60],
    ['h', 3600],
  ]).get(unit)
  if (factor === undefined) throw new TypeError(`${text} is no duration of one unit`)
  return Number(amount) * factor
}
