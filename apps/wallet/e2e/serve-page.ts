import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig } from 'vite'

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

type Files = ReadonlyMap<string, string | Uint8Array>

const types = { js: 'text/javascript', css: 'text/css' } as const

/** Builds with Vite and returns the output in memory. */
async function bundle(config: InlineConfig): Promise<Files> {
  const built = await build({ ...config, logLevel: 'error', build: { ...config.build, write: false } })
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  return new Map(
    outputs.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
}

export interface ServedPage extends AsyncDisposable {
  readonly origin: string
}

/** Serves files at their own origin, `http://localhost:…`. */
async function serve(files: Files, headers: Readonly<Record<string, string>> = {}): Promise<ServedPage> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = files.get(path === '/' ? '/index.html' : path)
    const type = types[path.split('.').at(-1) as keyof typeof types] ?? 'text/html; charset=utf-8'
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type, ...headers }).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has a port
  return {
    origin: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Serves `examples/dapp` for a wallet and a node. */
export async function serveDapp(wallet: string, rpcUrl: string): Promise<ServedPage> {
  Object.assign(process.env, { VITE_WALLET: wallet, VITE_RPC_URL: rpcUrl })
  return serve(await bundle({ root: root('examples/dapp') }))
}

export interface EmbeddedPage extends ServedPage {
  /** Points the page to a service that was started for its origin. */
  readonly connectTo: (service: string) => void
}

/**
 * Serves a page with its own accounts before its service starts: the service has to know the page's origin.
 */
export async function serveEmbedded(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPage> {
  const files = new Map(await bundle({ root: root(path), base: '/' }))
  return {
    ...(await serve(files, headers)),
    connectTo: (service) => {
      for (const [name, text] of files)
        if (typeof text === 'string') files.set(name, text.replaceAll('http://localhost:3000', service))
    },
  }
}

let provider: Promise<Files> | undefined

/** Serves a page that contains only `createLanyardProvider`. */
export async function serveProviderPage(headers: Readonly<Record<string, string>> = {}): Promise<ServedPage> {
  provider ??= bundle({
    configFile: false,
    build: { lib: { entry: root('packages/connect/src/index.ts'), formats: ['es'], fileName: 'connect' } },
  })
  const [code = ''] = (await provider).values()
  // The button sends the request that the test stored in `next`, and stores the answer.
  const page = `<!doctype html><html lang="en"><title>App</title><h1>App</h1><button>Ask</button><script type="module">
    import { createLanyardProvider } from '/connect.js'
    window.createLanyardProvider = createLanyardProvider
    document.querySelector('button').onclick = () => {
      window.answer = window.provider.request(window.next).then(
        (result) => ({ result }),
        ({ code, message, data }) => ({ code, message, reason: data?.reason }),
      )
    }
  </script></html>`
  return serve(
    new Map([
      ['/index.html', page],
      ['/connect.js', code],
    ]),
    headers,
  )
}
