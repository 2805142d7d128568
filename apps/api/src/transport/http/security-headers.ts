import { type IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * Headers for answers that no browser renders: names and values in turn. Helmet works its headers out for every answer;
 * without a policy that is a function they are the same for all.
 */
export function securityHeaders(): readonly string[] {
  const sample = new ServerResponse({ method: 'GET' } as IncomingMessage) // of a request it reads the method only
  const policy = { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] }
  helmet({ contentSecurityPolicy: { useDefaults: false, directives: policy } })(sample.req, sample, () => {})
  return Object.entries(sample.getHeaders()).flatMap(([name, value]) => [name, String(value)])
}

/** The reference page runs one script of ours and shows what it fetches from us. */
export const documentationHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component styles its elements by attributes.
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
 * The documentation: scripts of its own, and those in its pages by their hash.
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
        // Highlighted code carries its colours in attributes, and diagrams their own styles.
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
 * The wallet: scripts, styles and fonts of its own, requests to the service, and nothing from anywhere else.
 *
 * @param opener - whether a page of another origin that opened it keeps a handle of it, and it one of its opener
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
