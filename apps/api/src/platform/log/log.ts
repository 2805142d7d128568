import { Writable } from 'node:stream'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Env } from '../environment/env.ts'
import { withoutSecrets } from '../secrets/hidden-secrets.ts'
import { findRequest } from './current-request.ts'

/** Secrets never reach the log, wherever a caller of the logger puts them. */
const redact = ['authorization', 'apiKey', 'privateKey', 'secret', 'signature', 'token', 'password'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
)

/**
 * A log for lines with fixed fields, none of which is secret by its name: searching the fields takes ten
 * times as long as writing the line. Known secrets are still removed.
 */
export const fixedFields = (log: Logger): Logger => log.child({}, { redact: [] })

/** PGlite's errors contain the parameters of the statement, which are user data. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { params: _params, queryOptions: _options, ...described } = pino.stdSerializers.err(error)
  return described
}

/** Length from which a line is searched for data to shorten. */
const longLine = 4_000

/** Shortens calldata and code: an error of a node repeats the request, which may have 60 kB. */
const withoutLongData = (line: string): string =>
  line.length < longLine ? line : line.replaceAll(/(0x[0-9a-f]{64})[0-9a-f]{200,}/gi, '$1…')

/** `12:00:00 WARN the message {"network":31337}`, for a person at a terminal. */
function toReadableLine(line: string): string {
  const { level, time, msg, err, pid: _pid, hostname: _host, ...fields } = JSON.parse(line)
  const clock = new Date(time).toISOString().slice(11, 19)
  const label = pino.levels.labels[level]?.toUpperCase() ?? String(level)
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
  const stack = err?.stack ? `\n${err.stack}` : ''
  return `${clock} ${label.padEnd(5)} ${msg ?? ''}${rest}${stack}\n`
}

const readable = () =>
  new Writable({
    write(line, _encoding, done) {
      process.stdout.write(toReadableLine(String(line)))
      done()
    },
  })

/** Every line that is logged during a request names the request. */
function mixin(_fields: object, _level: number, logger: Logger): object {
  const requestId = findRequest()?.requestId
  return requestId === undefined || 'requestId' in logger.bindings() ? {} : { requestId }
}

/**
 * JSON lines, or readable lines for a person at a terminal. Secrets are removed from a line, however they got
 * into it (`hideSecrets`), and long data is shortened.
 */
export function createLog(env: Pick<Env, 'LOG_LEVEL'>, destination?: DestinationStream): Logger {
  const options = {
    level: env.LOG_LEVEL,
    base: null,
    redact,
    serializers: { err: describeError },
    mixin,
    hooks: { streamWrite: (line: string) => withoutLongData(withoutSecrets(line)) },
  }
  if (destination) return pino(options, destination)
  return process.stdout.isTTY ? pino(options, readable()) : pino(options, standardOutput())
}

let output: ReturnType<typeof pino.destination> | undefined

/** Other threads write the log: a slow reader does not delay requests. */
function standardOutput(): DestinationStream {
  output ??= pino.destination({ fd: 1, sync: false })
  return output
}

/**
 * Discards unwritten lines. pino writes them when the process exits, and retries forever if the reader is
 * gone; after EPIPE it replaces the same function.
 */
export function abandonLog(): void {
  if (output) output.flushSync = () => {}
}
