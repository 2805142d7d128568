import type { Express } from 'express'

/** Serves on a free port, prints its URL, and ends with the process that started this one. */
export function listen(app: Express): void {
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new TypeError('It listens on a port')
    console.log(`ready: http://127.0.0.1:${address.port}`)
  })
  process.once('disconnect', () => process.exit())
}
