import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * A client of a TCP port. It reports received data, and how its connection ended (`end`, or the error code).
 */
export async function connectTo(port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
  await once(socket, 'connect')
  return {
    socket,
    ended,
    text: () => text,
    async untilText(wanted: string) {
      while (text !== wanted) await once(socket, 'data')
    },
  }
}

/** How a connection ends that sends nothing. A reset may arrive before the connection is established. */
export const endOfConnection = (port: number): Promise<string> =>
  connectTo(port).then(
    ({ ended }) => ended,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
