/**
 * Asks the registry for known vulnerabilities of the dependencies (`pnpm audit:deps`). Fails if a shipped
 * dependency has a high or critical one; those of build and test tools are only reported. If no registry
 * answers, or the registry has no advisories, the script reports that nothing was checked and passes, since a
 * check must not depend on an external server.
 */
import { spawnSync } from 'node:child_process'

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The reason why there is no report, without the registry's address. */
function reasonOf(output) {
  const code = /ERR_\w+/.exec(output)?.[0]
  const status = /responded with (\d{3})/.exec(output.replace(/[\s│]+/g, ' '))?.[1]
  return [code ?? 'no answer', ...(status ? [`status ${status}`] : [])].join(', ')
}

/** @returns the number of high or critical vulnerabilities; undefined if unknown */
function audit(what, kind) {
  const { stdout, stderr } = spawnSync('pnpm', ['audit', kind, '--json'], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  const report = parse(stdout)
  if (!report?.metadata?.vulnerabilities) {
    process.stderr.write(
      `audit: SKIPPED for ${what}: the registry returned no advisories (${reasonOf(`${stdout}${stderr}`)}). Known vulnerabilities were not checked. Run it again with a registry that has them: pnpm audit:deps\n`,
    )
    return undefined
  }
  const { high = 0, critical = 0, moderate = 0, low = 0 } = report.metadata.vulnerabilities
  for (const { severity, module_name, title, url } of Object.values(report.advisories ?? {})) {
    process.stdout.write(`${severity}: ${module_name}: ${title} ${url}\n`)
  }
  process.stdout.write(
    `audit of ${what}: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low\n`,
  )
  return high + critical
}

const found = audit('shipped dependencies', '--prod')
if (found !== undefined) audit('build and test dependencies', '--dev')
process.exit(found ? 1 : 0)
