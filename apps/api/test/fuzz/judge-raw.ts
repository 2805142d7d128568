import { errorBody } from '@lanyard/contracts'
import { expectNone } from './for-all.ts'
import { parseJson } from './oracle.ts'
import { firstAnswer, type RawAnswer, sendRaw, splitAt } from './raw-http.ts'

/** The text of a request in latin1, so that reports are readable, and the places where it is split on its way. */
export type RawRequest = readonly [text: string, cuts: readonly number[]]

interface Listener {
  readonly port: number
  readonly logged: readonly Record<string, unknown>[]
}

/** pino's number for "error". */
const errorLevel = 50

const isErrorBody = (answer: unknown) => errorBody.safeParse(answer).success

/** A head that names a transfer coding besides `chunked`. */
const namesUnknownCoding = (text: string) =>
  /^transfer-encoding:(?!\s*chunked\s*$)/im.test(text.split('\r\n\r\n', 1)[0] ?? '')

/** Whether an answer is the 501 that RFC 9112 (§6.1) asks for, which is a refusal and no failure. */
const rejectsCoding = (text: string, status: number, codes: readonly unknown[]) =>
  status === 501 &&
  namesUnknownCoding(text) &&
  codes.every((code) => code === 'UNSUPPORTED_TRANSFER_ENCODING')

/** Until the documentation is built, its pages are the one error that people read, so it is HTML. */
const isUnbuiltPage = (text: string, { status, body }: RawAnswer) =>
  status === 503 &&
  /^(GET|HEAD) [^ ]*\/docs/.test(text) &&
  (text.startsWith('HEAD ') || body.includes('<h1>The documentation is being built</h1>'))

/**
 * Checks what holds for any bytes. The service answers with a status below 500 (or 501 for an unknown transfer
 * coding) or closes the connection. Every error answer has an error body, except for the page that says that the
 * documentation is not built yet. The log contains no error.
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
  const isError = answer !== undefined && answer.status >= 400
  const codes = isHead ? [] : answers.map((one) => Reflect.get(Object(one), 'code'))
  expectNone(
    [
      ...(answer &&
      answer.status >= 500 &&
      !rejectsCoding(text, answer.status, codes) &&
      !isUnbuiltPage(text, answer)
        ? [`status ${answer.status}`]
        : []),
      ...(isError && !isHead && !answers.every(isErrorBody) && !isUnbuiltPage(text, answer)
        ? ['no error body']
        : []),
      ...errorLines.map((line) => `the log says ${JSON.stringify(line).slice(0, 1_000)}`),
    ],
    { request: text.slice(0, 600), answered: answer?.body.slice(0, 400) },
  )
}
