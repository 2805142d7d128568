import { LanyardError } from '@lanyard/contracts'
import { DevnetError } from '@lanyard/devnet'
import { createLifecycle } from './app/lifecycle.ts'
import { openRequests, type Service, startService } from './app/server.ts'
import { ConfigurationError } from './platform/environment/configuration-error.ts'
import { readEnv } from './platform/environment/env.ts'
import { exitWhenLogged } from './platform/log/exit-when-logged.ts'
import { createLog } from './platform/log/log.ts'
import { withoutSecrets } from './platform/secrets/hidden-secrets.ts'

/** Milliseconds after SHUTDOWN_DELAY until the process ends, even if something still runs. */
const shutdownTimeout = 4_500

/**
 * Explains why the service did not start: a plain message for errors that a person can fix, and the stack for
 * unexpected ones.
 */
function explain(error: unknown): string {
  const isExpected =
    error instanceof ConfigurationError || error instanceof DevnetError || error instanceof LanyardError
  if (isExpected) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const fail = (error: unknown): never => {
  process.stderr.write(withoutSecrets(`Lanyard could not start. ${explain(error)}\n`))
  process.exit(1)
}

async function main(): Promise<void> {
  const env = readEnv()
  const log = createLog(env)
  const lifecycle = createLifecycle(env, log)
  let starting: Promise<Service> | undefined
  let ending = false

  const end = async (code: number, signal?: NodeJS.Signals) => {
    if (ending) return exitWhenLogged(code || 1) // a second signal ends the process immediately
    ending = true
    lifecycle.stopping(signal)
    let service: Service | undefined
    const endUnclosed = () => {
      const unclosed = service?.unclosed() ?? ['what was starting']
      log.warn({ unclosed }, 'the process ends before everything is closed')
      // What callers were not told is a failure. Everything else continues from its rows.
      const isAnswered = service !== undefined && !unclosed.includes(openRequests)
      void exitWhenLogged(code || (isAnswered ? 0 : 1))
    }
    setTimeout(endUnclosed, env.SHUTDOWN_DELAY * 1000 + shutdownTimeout).unref()
    service = await starting?.catch(() => undefined)
    await service?.close()
    lifecycle.stopped(code)
    await exitWhenLogged(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0, signal))
  // The parent process that opened the channel is gone without a signal (a killed `npm start`), so this
  // process ends, too.
  process.once('disconnect', () => void end(0))

  starting = startService(env, {
    log,
    onFatal: (message) => {
      if (ending) return
      process.stderr.write(`${message}\n`)
      void end(1)
    },
  })
  lifecycle.ready(await starting)
}

await main().catch(fail)
