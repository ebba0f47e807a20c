//! Tools. TODO: timeouts
