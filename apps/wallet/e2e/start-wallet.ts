import { fileURLToPath } from 'node:url'
import { preview } from 'vite'
import { freePorts } from './free-ports.ts'
import { startService } from './start-service.ts'

export interface RunningWallet extends AsyncDisposable {
  readonly url: string
}

/** What the service is asked to send with the wallet: no inline script or style, nothing from elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The built wallet and a real service. Where the service serves the wallet itself, that is what is tested; else
 * Vite's preview server stands before it, under the same policy.
 */
export async function startWallet(): Promise<RunningWallet> {
  const port = await freePorts(1)
  const service = await startService({ ORIGINS: `http://localhost:${port}` })
  const answer = await fetch(service.url, { headers: { accept: 'text/html' }, redirect: 'manual' })
  if ((await answer.text()).includes('<div id="root">')) {
    await service[Symbol.asyncDispose]()
    return startService()
  }
  const server = await preview({
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'warn',
    preview: {
      port,
      strictPort: true,
      host: 'localhost',
      proxy: { '/trpc': service.url },
      headers: { 'content-security-policy': contentSecurityPolicy },
    },
  })
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      await server.close()
      await service[Symbol.asyncDispose]()
    },
  }
}
