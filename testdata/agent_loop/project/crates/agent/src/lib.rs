//! The agent.
// TODO: retries
