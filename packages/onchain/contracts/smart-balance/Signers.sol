// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SIGNER_REMOVAL_DELAY} from "./Constants.sol";

/// @title Whose signature may debit an account on this network
/// @notice Pins, not the Safe's owners: an owner swapped in the Safe must not block a settlement. So an owner who
/// leaves the Safe must be removed here too, on every network with a deposit.
abstract contract Signers {
    /// @notice Thrown when a signer to remove is not pinned, or its removal already runs.
    error SignerNotActive(bytes32 signer);

    event SignerAdded(address indexed account, bytes32 indexed signer);
    event SignerRemoved(address indexed account, bytes32 indexed signer, uint48 until);

    /// @notice Until when a pin counts; the largest uint48 while it is active, 0 if it never was.
    mapping(address account => mapping(bytes32 signer => uint48)) public signerUntil;

    /// @notice Pins a signer of the caller at once; also takes back a removal.
    /// @param signer An address, left-padded, or keccak256(x ‖ y ‖ verifiers).
    function addSigner(bytes32 signer) external {
        signerUntil[msg.sender][signer] = type(uint48).max;
        emit SignerAdded(msg.sender, signer);
    }

    /// @notice Ends a pin of the caller after SIGNER_REMOVAL_DELAY. Reverts with SignerNotActive.
    function removeSigner(bytes32 signer) external {
        if (signerUntil[msg.sender][signer] != type(uint48).max) revert SignerNotActive(signer);
        uint48 until = uint48(block.timestamp) + SIGNER_REMOVAL_DELAY;
        signerUntil[msg.sender][signer] = until;
        emit SignerRemoved(msg.sender, signer, until);
    }
}
