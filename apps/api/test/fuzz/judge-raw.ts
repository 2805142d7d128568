import { errorBody } from '@lanyard/contracts'
import { expectNone } from './for-all.ts'
import { parseJson } from './oracle.ts'
import { cutUp, firstAnswer, sendRaw } from './raw-http.ts'

/** The text of a request in latin1, so that a report can be read, and where it is cut up on its way. */
export type RawRequest = readonly [text: string, cuts: readonly number[]]

interface Listener {
  readonly port: number
  readonly logged: readonly Record<string, unknown>[]
}

/** pino's number for "error". */
const errorLevel = 50

const isErrorBody = (told: unknown) => errorBody.safeParse(told).success

/**
 * What holds for any bytes: an answer below 500, or a closed connection; with every refusal the body of an error; and
 * nothing unexpectedError in the log.
 */
export async function judgeRaw({ port, logged }: Listener, [text, cuts]: RawRequest): Promise<void> {
  const from = logged.length
  const parts = cutUp(Buffer.from(text, 'latin1'), cuts)
  const answer = firstAnswer(await sendRaw(port, parts, { complete: false }))
  const unexpectedError = logged.slice(from).filter(({ level }) => Number(level) >= errorLevel)
  // What follows the head of an answer to HEAD is the next answer.
  const isHead = text.startsWith('HEAD ')
  const isJson = !isHead && answer !== undefined && /content-type: application\/json/i.test(answer.head)
  const body = isJson ? parseJson(answer.body)?.json : undefined
  // Of a batch, an answer each.
  const told = [body].flat().map((one) => Reflect.get(Object(one), 'error')?.data ?? one)
  expectNone(
    [
      ...(answer && answer.status >= 500 ? [`status ${answer.status}`] : []),
      ...(answer && !isHead && answer.status >= 400 && !told.every(isErrorBody) ? ['no error body'] : []),
      ...unexpectedError.map((line) => `the log says ${JSON.stringify(line).slice(0, 1_000)}`),
    ],
    { request: text.slice(0, 600), answered: answer?.body.slice(0, 400) },
  )
}
