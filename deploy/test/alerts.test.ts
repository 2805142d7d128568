/** @module-tag all */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
  ])('behavior: %s %s %s', (...parameters) => {
    const { status, stdout, stderr } = spawnSync('promtool', parameters, {
      cwd: monitoring,
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  })
})
