import { createHash, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { canonicalJson } from '../platform/audit/entry.ts'
import { recordChange } from '../platform/audit/record-act.ts'
import type { Env } from '../platform/environment/env.ts'
import { secretsOfEnv } from '../platform/secrets/secrets-of.ts'

/** Settings in which replicas differ, and which say nothing about what the service does. */
const ofOneProcess: ReadonlySet<string> = new Set(['PORT', 'HOST', 'METRICS_PORT', 'METRICS_HOST'])

/** Files whose content is configuration. They may contain secrets, so the log has their digest. */
const contents = ['NETWORKS_FILE', 'POLICIES_FILE'] as const

/**
 * Records how this process is configured, if that differs from the last start of a process with these roles.
 * Replicas that start at once record it once.
 */
export async function recordConfiguration(env: Env, database: Kysely<Database>): Promise<void> {
  const subject = [...env.ROLES].sort().join(',')
  const after = await describeConfiguration(env)
  await database.transaction().execute((transaction) =>
    recordChange(transaction, {
      ...{ actor: `service:${subject}`, source: hostname() },
      ...{ act: 'configuration.change', subject, after },
    }),
  )
}

/** Every setting that is not absent; a digest instead of every secret. */
export async function describeConfiguration(env: Env): Promise<Readonly<Record<string, unknown>>> {
  const secrets = secretsOfEnv(env).filter((secret) => secret !== '')
  const described = Object.entries(env)
    .filter(([name, value]) => value !== undefined && !ofOneProcess.has(name))
    .map(async ([name, value]) => {
      const text = canonicalJson(value)
      const isSecret = name === 'OTEL_EXPORTER_OTLP_ENDPOINT' || secrets.some((secret) => holds(text, secret))
      return [name, isSecret ? await digestSecret(name, text) : JSON.parse(text)] as const
    })
  const files = contents.map(async (name) => {
    const path = env[name]
    if (path === undefined) return []
    return [
      [
        `${name} content`,
        `sha256:${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`,
      ],
    ]
  })
  return Object.fromEntries([...(await Promise.all(described)), ...(await Promise.all(files)).flat()])
}

const holds = (json: string, secret: string) => json.includes(JSON.stringify(secret).slice(1, -1))

/**
 * Tells whether a secret has changed. A passphrase that a person chose must not be found by trying words, so
 * each try costs as much as a login.
 */
async function digestSecret(name: string, secret: string): Promise<string> {
  const bytes = await promisify<string, string, number, Buffer>(scrypt)(secret, `lanyard audit ${name}`, 16)
  return `scrypt:${bytes.toString('hex')}`
}
