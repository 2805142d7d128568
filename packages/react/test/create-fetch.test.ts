import { afterEach, expect, test, vi } from 'vitest'
import { createFetch } from '../src/create-fetch.ts'
import { isUnreachable } from '../src/react-error.ts'

/** The fetch of React Native: an abort rejects with an AbortError, and its reason is lost. */
const fetchOfPhones = () =>
  vi.stubGlobal(
    'fetch',
    (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        const abort = () => reject(new DOMException('Aborted', 'AbortError'))
        if (signal.aborted) abort()
        signal.addEventListener('abort', abort)
      }),
  )
afterEach(() => vi.unstubAllGlobals())

const rejection = (answer: Promise<unknown>) =>
  answer.then(
    () => undefined,
    (error: unknown) => error,
  )

test('behavior: a late answer is a time-out and no cancellation, so what was sent is followed', async () => {
  fetchOfPhones()
  const error = await rejection(createFetch(1)('https://wallet.example'))
  expect(error).toMatchObject({ name: 'TimeoutError' })
  expect(isUnreachable(error)).toBe(true)
})

test('behavior: what the caller stops stays an AbortError', async () => {
  fetchOfPhones()
  const controller = new AbortController()
  const stopped = rejection(createFetch(60_000)('https://wallet.example', { signal: controller.signal }))
  controller.abort()
  expect(await stopped).toMatchObject({ name: 'AbortError' })
  expect(
    await rejection(createFetch(60_000)('https://wallet.example', { signal: controller.signal })),
  ).toMatchObject({ name: 'AbortError' })
})
