/** @module-tag all */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const monitoring = fileURLToPath(new URL('../monitoring', import.meta.url))
const read = (path: string) => readFileSync(join(monitoring, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  for?: string
  labels?: { severity?: string }
  annotations: { summary?: string; runbook_url?: string }
}
interface RuleTest {
  name: string
  promql_expr_test: { expr: string; exp_samples: unknown[] }[]
}

const { groups }: { groups: { rules: Rule[] }[] } = parse(read('alerts.yaml'))
const rules = groups.flatMap((group) => group.rules)

describe('the alerts', () => {
  const page = readFileSync(join(monitoring, '../../docs/alerts.md'), 'utf8')
  const sections = new Map(
    [...page.matchAll(/^### (\w+)\n\n([\s\S]*?)(?=\n#|$(?![\s\S]))/gm)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  )

  test.each(rules)('behavior: $alert has a severity, and leads to its section of docs/alerts.md', (rule) => {
    expect(rule.labels?.severity).toMatch(/^(critical|warning)$/)
    expect(rule.annotations.summary).toBeTruthy()
    expect(rule.annotations.runbook_url).toMatch(
      new RegExp(`^https://[^#]+/docs/alerts#${rule.alert.toLowerCase()}$`),
    )
    const section = sections.get(rule.alert)
    const delay = rule.for ? `after ${Number.parseInt(rule.for, 10)} minute` : 'at once'
    expect(section?.toLowerCase()).toContain(`${rule.labels?.severity}, ${delay}`)
    expect(section).toContain(`\`${rule.expr}\``)
    expect(section?.split('\n').slice(2).join(' ').length).toBeGreaterThan(40)
  })

  test('behavior: the page describes no alert that has no rule', () => {
    expect([...sections.keys()].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
  })

  test('behavior: each alert has a test of when it fires, and of when it does not', () => {
    const { tests }: { tests: RuleTest[] } = parse(read('alerts.test.yaml'))
    for (const { alert } of rules) {
      const own = tests
        .flatMap(({ promql_expr_test }) => promql_expr_test)
        .filter(({ expr }) => expr.includes(`alertname="${alert}"`))
      expect([alert, new Set(own.map(({ exp_samples }) => exp_samples.length > 0))]).toEqual([
        alert,
        new Set([true, false]),
      ])
    }
  })
})

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined

/** Without it (Debian's package `prometheus`) nobody here can say what a rule does. */
describe.skipIf(!hasPromtool)('promtool', () => {
  test.each([
    ['check', 'rules', 'alerts.yaml'],
    ['check', 'config', 'prometheus.yaml'],
    ['check', 'config', 'prometheus.systemd.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ])('behavior: %s %s %s', (...parameters) => expectSuccess(parameters))

  const counting = rules.flatMap((rule) => {
    const [, metric, matchers = '', limit] =
      /increase\((\w+)(?:\{(.*?)\})?\[\w+\]\).* > ([\de]+)$/.exec(rule.expr) ?? []
    return metric === undefined ? [] : [{ ...rule, metric, matchers, limit: Number(limit) }]
  })

  test('behavior: no alert on an increase is left out of the next test', () => {
    const named = rules.filter(({ expr }) => expr.includes('increase('))
    expect(counting.map(({ alert }) => alert)).toEqual(named.map(({ alert }) => alert))
  })

  // Two Prometheus may read one process, and anybody may have read it before: its first reading here can be any.
  test.each(counting)(
    'behavior: $alert fires for what a new process counted before its first reading',
    (rule) => {
      const { alert, metric, matchers, limit } = rule
      const labels = [...matchers.matchAll(/(\w+)(!?=~?)"([^"|]*)[^"]*"/g)].map(
        ([, name, operator, value]) => (operator === '!=' ? `${name}="other"` : `${name}="${value}"`),
      )
      const seriesOf = (instance: string, started: string) => [
        {
          series: `${metric}{${[...labels, `instance="${instance}"`, 'job="lanyard-api"'].join()}}`,
          values: `_x20 ${2 * limit + 1}x40`,
        },
        {
          series: `process_start_time_seconds{instance="${instance}",job="lanyard-api"}`,
          values: `_x20 ${started}x40`,
        },
      ]
      const testOf = (name: string, started: string, fires: boolean) => ({
        ...{ name, interval: '15s', input_series: seriesOf('one', started) },
        promql_expr_test: [
          {
            ...{ expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`, eval_time: '6m' },
            exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
          },
        ],
      })
      const directory = mkdtempSync(join(tmpdir(), 'lanyard-alerts-'))
      try {
        const file = join(directory, 'test.yaml')
        const tests = [
          testOf('a process that has just started', '290', true),
          // Prometheus is new, and not what it reads.
          testOf('a process that has run for an hour', '-3600', false),
        ]
        const rule_files = [join(monitoring, 'alerts.yaml')]
        writeFileSync(file, JSON.stringify({ rule_files, evaluation_interval: '15s', tests }))
        expectSuccess(['test', 'rules', file])
      } finally {
        rmSync(directory, { recursive: true })
      }
    },
  )

  function expectSuccess(parameters: readonly string[]) {
    const { status, stdout, stderr } = spawnSync('promtool', parameters, {
      cwd: monitoring,
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  }
})
