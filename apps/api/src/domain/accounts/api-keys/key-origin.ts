/** Where a publishable key may be used: the origin of a page, or `app:` and the bundle or package name of an app. */
export const keyOriginForm =
  'Expected an origin such as https://app.example, or an app such as app:com.example.wallet.'

const app = /^app:[A-Za-z0-9][\w-]*(\.[\w-]+)+$/

/** Whether a text says where a publishable key may be used. */
export const isKeyOrigin = (text: string): boolean =>
  app.test(text) || (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text)
