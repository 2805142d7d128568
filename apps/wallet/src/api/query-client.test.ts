// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'

test('behavior: what failed because the page opened offline is read again once it is online', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { queryClient } = await import('./query-client.ts')
  queryClient.mount()
  const observer = new QueryObserver(queryClient, {
    queryKey: ['networks'],
    queryFn: () =>
      navigator.onLine ? Promise.resolve('read') : Promise.reject(new TypeError('Failed to fetch')),
  })
  const stop = observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().status).toBe('error')
  online.mockReturnValue(true)
  dispatchEvent(new Event('online'))
  await expect.poll(() => observer.getCurrentResult().data).toBe('read')
  stop()
  queryClient.unmount()
})
