// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title Checks one guardian's signature, whatever its contract does
library GuardianCheck {
    /// @dev Enough for a Safe whose passkey is verified in Solidity (about 400,000).
    uint256 private constant _GAS = 1_000_000;

    /// @notice Whether `guardian` signed `hash`. A key's signature counts even if the address has code (EIP-7702), so
    /// that it counts on every network.
    function isValid(address guardian, bytes32 hash, bytes calldata signature) internal view returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecover(hash, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == guardian) return true;
        return _acceptsContract(guardian, abi.encodeCall(IERC1271.isValidSignature, (hash, signature)));
    }

    /// @dev Bounded gas, 32 bytes of the answer, and no state changes: a hostile contract costs only whoever names it.
    function _acceptsContract(address guardian, bytes memory query) private view returns (bool accepted) {
        bytes4 magicValue = IERC1271.isValidSignature.selector;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            mstore(0, 0)
            let success := staticcall(_GAS, guardian, add(query, 32), mload(query), 0, 32)
            accepted := and(and(success, gt(returndatasize(), 31)), eq(mload(0), magicValue))
        }
    }
}
