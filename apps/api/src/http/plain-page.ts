/**
 * A page that needs no build and no script.
 *
 * @param reloadAfter - seconds, after which the page loads itself again; never if absent
 */
export const plainPage = (title: string, main: string, reloadAfter?: number): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">${
      reloadAfter === undefined
        ? ''
        : `
    <meta http-equiv="refresh" content="${reloadAfter}">`
    }
    <title>Lanyard: ${title}</title>
    <style>body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }</style>
  </head>
  <body>
    <main>
      ${main}
    </main>
  </body>
</html>
`
