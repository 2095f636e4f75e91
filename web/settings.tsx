import type { JSX } from "preact"
import type { Settings } from "./answers.ts"
import type { Desk } from "./desk.ts"
import { nameChain } from "./format.ts"
import { useLive } from "./live.ts"
import { Card, Hash, Loaded, Pairs, Title } from "./parts.tsx"
import { Guards } from "./rules/limits.tsx"

const NOTE =
  "The configuration that the daemon has in force now. To change it, edit the file and reload; " +
  "no secret is shown here."

/** The settings in force, in sentences. Secrets are never sent to the page. */
export function SettingsPage({ overview }: Desk): JSX.Element {
  const settings = useLive<Settings>("settings", 60_000)
  return (
    <>
      <Title note={NOTE}>Settings</Title>
      <Loaded live={settings}>
        {(value) => (
          <div class="grid even">
            <Card title="Daemon">
              <Pairs
                pairs={[
                  ["treasury", value.treasury],
                  ["version", overview.value?.daemon.version ?? "unknown"],
                  [
                    "configuration",
                    <Hash
                      key="hash"
                      hash={value.configHash}
                      what="the hash of the configuration"
                    />,
                  ],
                  ...value.settings.map(({ name, means }) => [name, means] as const),
                ]}
              />
            </Card>
            <Card title="Chains">
              <Pairs
                pairs={value.chains.map(
                  ({ chain, family, nativeCoin, endpoints, agree }) =>
                    [
                      nameChain(chain),
                      `${family}, coin ${nativeCoin.symbol}, ${endpoints} ` +
                        `node${endpoints === 1 ? "" : "s"} of which ${agree} must agree`,
                    ] as const,
                )}
              />
            </Card>
            <Card title="Services and access">
              <Pairs
                pairs={[
                  ...value.services.map(({ name, host }) => [`service ${name}`, host] as const),
                  ...value.tokens.map(
                    ({ name, scopes }) => [`token ${name}`, scopes.join(", ")] as const,
                  ),
                ]}
              />
            </Card>
            <Guards guards={value.guards} />
          </div>
        )}
      </Loaded>
    </>
  )
}
