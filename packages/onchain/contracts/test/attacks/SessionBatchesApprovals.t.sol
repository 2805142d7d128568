// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {DevToken} from "../../DevToken.sol";
import {Grants} from "../../session-keys/Grants.sol";
import {Rule, RuleKind} from "../../session-keys/Session.sol";
import {SessionKeysTest} from "../session-keys/SessionKeysTest.sol";

/// @dev A token with OpenZeppelin's Multicall.
contract BatchingToken is DevToken("Token", "T", 6) {
    function multicall(bytes[] calldata data) external {
        for (uint256 i; i < data.length; ++i) {
            (bool success,) = address(this).delegatecall(data[i]);
            require(success);
        }
    }
}

/// @dev Attack: a rule of kind Call names a function that runs other calls, through which a session approves without
/// limit. Guard: the list of RefusedFunctions. packages/session-keys tests the complete list against a node.
contract SessionBatchesApprovalsTest is SessionKeysTest {
    function test_multicallOnAToken() public {
        BatchingToken batching = new BatchingToken();
        vm.expectRevert(abi.encodeWithSelector(Grants.OpenApproval.selector, 0));
        _grant(
            _sessionWith(Rule(RuleKind.Call, address(batching), BatchingToken.multicall.selector, address(0), 0))
        );
    }

    function test_grantsBatches() public {
        string[23] memory signatures = [
            "multicall(bytes[])",
            "multicall(uint256,bytes[])",
            "multicall(bytes32,bytes[])",
            "execute(bytes,bytes[],uint256)",
            "execute(bytes,bytes[])",
            "modifyLiquidities(bytes,uint256)",
            "batch(bytes[],bool)",
            "batch((address,address,uint256,bytes)[])",
            "execute(address,uint256,bytes,uint8)",
            "executeFromExecutor(bytes32,bytes)",
            "execTransactionFromModule(address,uint256,bytes,uint8)",
            "execute(uint256,address,uint256,bytes)",
            "aggregate3((address,bool,bytes)[])",
            "aggregate((address,bytes)[])",
            "execute((address,address,uint256),bytes[],bytes32)",
            "setPreSignature(bytes,bool)",
            "setInterfaceImplementer(address,bytes32,address)",
            "approveHash(bytes32)",
            "permit(address,uint256,uint256,bytes)",
            "permit(address,uint256,uint256,uint8,bytes32,bytes32)",
            "permit(address,uint256,uint256,uint256,bytes)",
            "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)",
            "validate(((address,address,(uint8,address,uint256,uint256,uint256)[],(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),bytes)[])"
        ];
        for (uint256 i; i < signatures.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(signatures[i])));
            vm.expectRevert(abi.encodeWithSelector(Grants.OpenApproval.selector, 0));
            _grant(_sessionWith(Rule(RuleKind.Call, address(counter), selector, address(0), 0)));
        }
    }
}
