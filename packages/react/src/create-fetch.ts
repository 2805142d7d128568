/**
 * A `fetch` that ends with a TimeoutError. On phones an abort is always an AbortError, whatever its reason, and
 * `AbortSignal.any` and `AbortSignal.timeout` are missing: a payment that was sent, and whose answer is late, must not look like
 * one that the person stopped.
 *
 * @param timeout - milliseconds
 */
export const createFetch =
  (timeout: number): typeof fetch =>
  async (input, init) => {
    const own = input instanceof Request ? input.signal : init?.signal
    const controller = new AbortController()
    const abort = () => controller.abort(own?.reason)
    if (own?.aborted) abort()
    own?.addEventListener('abort', abort)
    const late = Object.assign(new Error('The service did not answer in time.'), { name: 'TimeoutError' })
    let isLate = false
    // It also ends a body that does not end. After that it changes nothing, and must not keep Node running.
    const timer: unknown = setTimeout(() => {
      isLate = true
      controller.abort(late)
    }, timeout)
    ;(timer as { unref?(): void }).unref?.()
    try {
      return await fetch(input, { ...init, signal: controller.signal })
    } catch (error) {
      throw isLate ? late : error
    }
  }
