import { type IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * Headers for answers that no browser renders: names and values alternate. Helmet computes its headers for
 * every answer; without a policy that is a function, they are always the same.
 */
export function securityHeaders(): readonly string[] {
  const sample = new ServerResponse({ method: 'GET' } as IncomingMessage) // only the method of a request is read
  const policy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] }
  helmet({ contentSecurityPolicy: { useDefaults: false, directives: policy } })(sample.req, sample, () => {})
  return Object.entries(sample.getHeaders()).flatMap(([name, value]) => [name, String(value)])
}

/** The reference page runs one script of the service and shows data that it fetches from the service. */
export const documentationHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component styles its elements with style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    },
  })

/**
 * The documentation: its own scripts, and the inline scripts of its pages by hash.
 *
 * @param scripts `'sha256-…'`
 */
export const siteHeaders = (scripts: readonly string[]): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scripts],
        // Highlighted code has its colours in style attributes, and diagrams have their own styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
  })

/**
 * The wallet: its own scripts, styles and fonts, requests to the service, and nothing from other origins.
 *
 * @param opener - whether the page and an opener of another origin keep a handle to each other
 */
export const walletHeaders = (opener: 'same-origin' | 'unsafe-none'): RequestHandler =>
  helmet({
    crossOriginOpenerPolicy: { policy: opener },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'"],
        manifestSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
  })
