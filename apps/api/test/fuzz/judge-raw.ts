import { errorBody } from '@lanyard/contracts'
import { expectNone } from './for-all.ts'
import { parseJson } from './oracle.ts'
import { firstAnswer, sendRaw, splitAt } from './raw-http.ts'

/** The text of a request in latin1, so that reports are readable, and the places where it is split on its way. */
export type RawRequest = readonly [text: string, cuts: readonly number[]]

interface Listener {
  readonly port: number
  readonly logged: readonly Record<string, unknown>[]
}

/** pino's number for "error". */
const errorLevel = 50

const isErrorBody = (answer: unknown) => errorBody.safeParse(answer).success

/**
 * Checks what holds for any bytes. The service answers with a status below 500 or closes the connection. Every
 * error answer has an error body. The log contains no error.
 */
export async function judgeRaw({ port, logged }: Listener, [text, cuts]: RawRequest): Promise<void> {
  const from = logged.length
  const parts = splitAt(Buffer.from(text, 'latin1'), cuts)
  const answer = firstAnswer(await sendRaw(port, parts, { complete: false }))
  const errorLines = logged.slice(from).filter(({ level }) => Number(level) >= errorLevel)
  // An answer to HEAD has no body, so the next answer follows its head.
  const isHead = text.startsWith('HEAD ')
  const isJson = !isHead && answer !== undefined && /content-type: application\/json/i.test(answer.head)
  const body = isJson ? parseJson(answer.body)?.json : undefined
  // A batch has one answer per call.
  const answers = [body].flat().map((one) => Reflect.get(Object(one), 'error')?.data ?? one)
  expectNone(
    [
      ...(answer && answer.status >= 500 ? [`status ${answer.status}`] : []),
      ...(answer && !isHead && answer.status >= 400 && !answers.every(isErrorBody) ? ['no error body'] : []),
      ...errorLines.map((line) => `the log says ${JSON.stringify(line).slice(0, 1_000)}`),
    ],
    { request: text.slice(0, 600), answered: answer?.body.slice(0, 400) },
  )
}
