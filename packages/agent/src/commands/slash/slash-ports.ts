import type { DoctorPorts } from "../doctor.ts";
import type { LoginPorts } from "../login/login-ports.ts";
import type { PingPorts } from "../ping.ts";
import type { AgentsPorts } from "./agents-ports.ts";
import type { BranchPorts } from "./branch.ts";
import type { ClearPorts } from "./clear.ts";
import type { CompactPorts } from "./compact.ts";
import type { ContextPorts } from "./context.ts";
import type { CopyPorts } from "./copy.ts";
import type { ExitPorts } from "./exit.ts";
import type { ExportPorts } from "./export.ts";
import type { ExtensionsPorts } from "./extensions.ts";
import type { HelpPorts } from "./help.ts";
import type { HistoryPorts } from "./history.ts";
import type { McpPorts } from "./mcp.ts";
import type { MemoryPorts } from "./memory-ports.ts";
import type { PlanPorts } from "./plan-ports.ts";
import type { RestartPorts } from "./restart.ts";
import type { ResumePorts } from "./resume.ts";
import type { RtkPorts } from "./rtk.ts";
import type { RunPorts } from "./run-ports.ts";
import type { SessionPorts } from "./session.ts";
import type { CommitPorts } from "./shared/commit-port.ts";
import type { ModelPorts } from "./shared/model-port.ts";
import type { MovePorts } from "./shared/move-port.ts";
import type { SkillsPorts } from "./skills.ts";
import type { ThemePorts } from "./theme.ts";
import type { TrustPorts } from "./trust.ts";

/** Everything that the slash commands need of the world together; `cli/` makes it. */
export type SlashPorts = AgentsPorts &
  BranchPorts &
  ClearPorts &
  CommitPorts &
  CompactPorts &
  ContextPorts &
  CopyPorts &
  DoctorPorts &
  ExitPorts &
  ExportPorts &
  ExtensionsPorts &
  HelpPorts &
  HistoryPorts &
  LoginPorts &
  McpPorts &
  MemoryPorts &
  ModelPorts &
  MovePorts &
  PingPorts &
  PlanPorts &
  RestartPorts &
  ResumePorts &
  RtkPorts &
  RunPorts &
  SessionPorts &
  SkillsPorts &
  ThemePorts &
  TrustPorts;
