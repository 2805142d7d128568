/**
 * Lints apps/api/openapi.json as those who generate clients from it do: redocly (recommended-strict) and spectral (oas).
 * Offline, by their libraries; a finding of any severity fails.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'

const path = fileURLToPath(new URL('../openapi.json', import.meta.url))
const source = readFileSync(path, 'utf8')

async function redocly(): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source, absoluteRef: path, config })
  return problems.map(({ ruleId, message, location: [place] }) => {
    const pointer = place && 'pointer' in place ? place.pointer : ''
    return `redocly, ${ruleId}: ${message} ${pointer}`
  })
}

async function spectralOas(): Promise<string[]> {
  const linter = new spectral.Spectral()
  // A cast: the types of the rulesets allow no ruleset without `extends`, which theirs is.
  linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] })
  const results = await linter.run(JSON.parse(source))
  return results.map(({ code, message, path: at }) => `spectral, ${code}: ${message} ${at.join('.')}`)
}

const findings = (await Promise.all([redocly(), spectralOas()])).flat()
for (const finding of findings) console.error(finding)
if (findings.length > 0) process.exitCode = 1
else console.log('openapi.json: no findings of redocly and spectral')
