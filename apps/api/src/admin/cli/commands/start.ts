import { existsSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import process from 'node:process'
import type { Command } from 'commander'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { withManual } from '../manual.ts'

const about = `
Without NETWORKS_FILE it starts three local networks beside it, with play money, and the console. Everything stays in memory
unless DATA_DIR or DATABASE_URL is set. With NETWORKS_FILE it is a service for others: \`init\` writes its settings.`

/** `lanyard start`. */
export function addStart(group: Command): void {
  withManual(group, {
    about,
    environment: {
      NETWORKS_FILE: 'how to reach the networks; absent: three local ones',
      DATABASE_URL: 'PostgreSQL',
      DATA_DIR: 'folder of PGlite and of the local networks; absent, without DATABASE_URL: memory',
    },
    examples: ['start', 'start --port 3100'],
  })
    .option(
      '--port <number>',
      'where it listens (PORT; default: 3000, or the next free one on local networks)',
    )
    .action(async ({ port }: { readonly port?: string }) => {
      if (port !== undefined) process.env.PORT = port
      if (!process.env.NETWORKS_FILE) {
        // On local networks one process has every role, and its banner has all that a person needs.
        process.env.ROLES ??= 'api,worker,attestor,settler,topUp,admin'
        process.env.LOG_LEVEL ??= 'warn'
      }
      // The program that `npm start` runs. Commands are a layer below it, so none imports it.
      await import(new URL(`../../../main${extname(import.meta.url)}`, import.meta.url).href)
    })
}

/**
 * The settings of `lanyard init` in the folder where a command runs; variables that are set already win. They decide about keys, RPCs
 * and programs that are started, so a file that another user can write is rejected, as in a shared folder.
 *
 * @throws ConfigurationError
 */
export function readSettingsFile(file = 'lanyard.env'): void {
  if (!existsSync(file)) return
  const { uid, mode } = statSync(file)
  const own = process.getuid?.()
  const isOthers = own !== undefined && ((uid !== own && uid !== 0) || (mode & 0o002) !== 0)
  if (isOthers)
    throw new ConfigurationError(file, [
      `Another user can write it. If it is yours, run: chown ${own} ${file} && chmod 600 ${file}. Otherwise use another folder.`,
    ])
  try {
    process.loadEnvFile(file)
  } catch {
    throw new ConfigurationError(file, ['It cannot be read. Make it a file that this user can read.'])
  }
}
